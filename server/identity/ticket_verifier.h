// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "identity/key_set.h"
#include "identity/ticket.h"

namespace sweepd::identity {

struct TicketRules {
  std::string audience = "sweepd";
  std::vector<std::string> issuers = {};  ///< Empty: any issuer in the scope of the key.
  std::int64_t lifetime_max_s = 24 * 60 * 60;
  std::int64_t leeway_s = 5;  ///< Tolerated clock difference at `nbf` and `exp`.
};

/// Verifies tickets. It is immutable and keeps nothing of a token, so threads may share it; changed keys or
/// rules need a new verifier.
class TicketVerifier {
 public:
  TicketVerifier(KeySet keys, TicketRules rules) : keys_(std::move(keys)), rules_(std::move(rules)) {}

  /// `now_s`: seconds since 1970. Before the signature is verified, only `kid` is used, to find the key;
  /// `alg` must be the key's algorithm.
  base::Result<Ticket, TicketRefusal> verify(std::string_view token, std::int64_t now_s) const;

  const KeySet& keys() const { return keys_; }
  const TicketRules& rules() const { return rules_; }

 private:
  KeySet keys_;
  TicketRules rules_;
};

}  // namespace sweepd::identity
