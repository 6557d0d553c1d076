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
  std::vector<std::string> issuers = {};  ///< Empty: any that the key may name.
  std::int64_t lifetime_max_s = 24 * 60 * 60;
  std::int64_t leeway_s = 5;  ///< How far the issuer's clock may be from ours, of `nbf` and of `exp`.
};

/// Tells tickets from everything else. It knows no clock, keeps nothing of a token and never changes, so
/// threads may share it; keys or rules that have changed are another verifier.
class TicketVerifier {
 public:
  TicketVerifier(KeySet keys, TicketRules rules) : keys_(std::move(keys)), rules_(std::move(rules)) {}

  /// `now_s`: seconds since 1970. Nothing a token says is believed before its signature is right, but for the
  /// name of the key. Which algorithm that key is for, the key alone says.
  base::Result<Ticket, TicketRefusal> verify(std::string_view token, std::int64_t now_s) const;

  const KeySet& keys() const { return keys_; }
  const TicketRules& rules() const { return rules_; }

 private:
  KeySet keys_;
  TicketRules rules_;
};

}  // namespace sweepd::identity
