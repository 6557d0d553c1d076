// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "runtime/budgets/budget_key.h"
#include "runtime/clock.h"

namespace sweepd::runtime {

/// How many connections of TLS may begin, each of which costs a loop a signature: so many a second of one
/// client and of all, and kSaved's worth of them at once.
class HandshakeRates {
 public:
  static constexpr Duration kSaved = std::chrono::seconds(4);
  /// Of clients that came lately. Where all of them did, all are forgotten: the rate of all still holds.
  static constexpr std::size_t kKeysMax = 4096;

  HandshakeRates(std::uint32_t per_second, std::uint32_t per_second_of_client)
      : cost_(Duration(std::chrono::seconds(1)) / per_second),
        cost_of_client_(Duration(std::chrono::seconds(1)) / per_second_of_client) {}

  /// False, and nothing taken: the client has begun too many, or all have.
  bool take(const BudgetKey& client, TimePoint now);

 private:
  void forget_idle(TimePoint now);

  const Duration cost_;
  const Duration cost_of_client_;
  TimePoint spent_until_{};  ///< Of all: what is taken moves it on, and time catches up with it.
  std::unordered_map<BudgetKey, TimePoint> spent_by_client_;
};

}  // namespace sweepd::runtime
