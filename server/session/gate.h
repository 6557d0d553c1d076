// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/principal.h"
#include "identity/ticket_verifier.h"
#include "session/status.h"

namespace sweepd::session {

/// Seconds since 1970, by the system's clock: what tickets are measured by.
std::int64_t ticket_time_s();

/// Who a caller is, and until when that is so.
struct Admission {
  static constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

  identity::Principal principal = {};
  std::int64_t expires_s = kForever;  ///< Seconds since 1970.
  std::string key_id = {};            ///< Of its ticket, as the next.
  std::string ticket_id = {};
  std::uint64_t keys_version = 0;  ///< Of the gate's keys by which it was found good.
};

/// Tells by their tickets who callers are. Without keys no ticket is asked for, and every caller is an
/// operator: so it is only to be opened to callers who may be. Thread-safe.
class Gate {
 public:
  using Verifier = std::shared_ptr<const identity::TicketVerifier>;

  /// From now on. Who is in stays until its ticket's time is over. Null: no ticket is asked for.
  void use(Verifier verifier);
  bool has_keys() const { return keys().verifier != nullptr; }

  /// `token`: of a call; empty: it has none, and the caller is anonymous. UNAUTHENTICATED with the fault's
  /// reason where it is no good ticket now.
  base::Result<Admission, Status> admit(std::string_view token) const;

  /// Whether one that was admitted would be now: its time is not over, and its key and its ticket are not
  /// revoked. Cheap where the keys are the same.
  bool is_still_good(Admission& admission) const;

 private:
  struct Keys {
    Verifier verifier;
    std::uint64_t version = 0;
  };
  Keys keys() const;

  mutable std::mutex mutex_;
  Verifier verifier_;
  std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace sweepd::session
