// SPDX-License-Identifier: MIT
#include "runtime/connections/handshake_rates.h"

#include <algorithm>

namespace sweepd::runtime {

bool HandshakeRates::take(const BudgetKey& client, TimePoint now) {
  if (spent_by_client_.size() >= kKeysMax && !spent_by_client_.contains(client)) forget_idle(now);
  TimePoint& of_client = spent_by_client_.try_emplace(client, now).first->second;
  const TimePoint next_of_client = std::max(of_client, now) + cost_of_client_;
  const TimePoint next = std::max(spent_until_, now) + cost_;
  if (next_of_client > now + kSaved || next > now + kSaved) return false;
  of_client = next_of_client;
  spent_until_ = next;
  return true;
}

void HandshakeRates::forget_idle(TimePoint now) {
  std::erase_if(spent_by_client_, [now](const auto& entry) { return entry.second <= now; });
  if (spent_by_client_.size() >= kKeysMax) spent_by_client_.clear();
}

}  // namespace sweepd::runtime
