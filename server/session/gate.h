// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "identity/ticket_verifier.h"
#include "session/admission.h"
#include "session/status.h"
#include "session/ticket_cache.h"

namespace sweepd::session {

/// Seconds since 1970, by the system's clock: what tickets are measured by.
std::int64_t ticket_time_s();

/// Tells by their tickets who callers are. Without keys no ticket is asked for, and every caller is an
/// operator: so it is only to be opened to callers who may be. Thread-safe.
class Gate {
 public:
  using Verifier = std::shared_ptr<const identity::TicketVerifier>;

  /// From now on. An admitted caller stays until its ticket's time is over. Null: no ticket is asked for.
  void use(Verifier verifier);
  bool has_keys() const { return keys().verifier != nullptr; }

  /// The caller of a token for which nothing has to be verified: it was found good before, is empty, or no
  /// ticket is asked for.
  std::optional<Admission> known(std::string_view token) const;

  /// `token`: of a call; empty: it has none, and the caller is anonymous. UNAUTHENTICATED with the fault's
  /// reason where it is no good ticket now.
  base::Result<Admission, Status> admit(std::string_view token) const;

  /// Whether one that was admitted would be now: its time is not over, and its key and its ticket are not
  /// revoked. Cheap where the keys are the same.
  bool is_still_good(Admission& admission) const;

 private:
  struct Keys {
    Verifier verifier;
    std::shared_ptr<TicketCache> cache;  ///< Of what these keys found good.
    std::uint64_t version = 0;
  };
  Keys keys() const;

  mutable std::mutex mutex_;
  Keys keys_;  ///< Guarded by mutex_.
  /// That of keys_.
  std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace sweepd::session
