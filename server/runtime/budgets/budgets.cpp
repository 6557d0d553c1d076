// SPDX-License-Identifier: MIT
#include "runtime/budgets/budgets.h"

#include <algorithm>

namespace sweepd::runtime {
namespace {

constexpr std::array<std::string_view, kResources> kResourceNames{"connections", "streams", "calls",
                                                                  "matches", "bytes"};

bool add_within(std::atomic<std::size_t>& taken, std::size_t amount, std::size_t limit) {
  std::size_t before = taken.load(std::memory_order_relaxed);
  do {
    const bool is_first = before == 0 && limit > 0;
    if (!is_first && (before > limit || amount > limit - before)) return false;
  } while (!taken.compare_exchange_weak(before, before + amount, std::memory_order_relaxed));
  return true;
}

}  // namespace

std::string_view name_of(Resource resource) { return kResourceNames.at(static_cast<std::size_t>(resource)); }

Budgets::AccountPtr Budgets::account(const BudgetKey& key) {
  const std::lock_guard lock(mutex_);
  const auto it = accounts_.find(key);
  if (it != accounts_.end()) return it->second;
  if (accounts_.size() >= forget_at_) forget_idle_accounts();
  return accounts_.emplace(key, std::make_shared<Account>(key)).first->second;
}

// A share holds its account. The next look is when there are twice as many as stayed: so
// looking costs each new account a constant.
void Budgets::forget_idle_accounts() {
  std::erase_if(accounts_, [](const auto& entry) { return entry.second.use_count() == 1; });
  forget_at_ = std::max<std::size_t>(64, accounts_.size() * 2);
}

base::Result<Budgets::Share, Excess> Budgets::take(const AccountPtr& account, Resource resource,
                                                   std::size_t amount) {
  const BudgetLimit& limit = this->limit(resource);
  std::atomic<std::size_t>& of_key = account->of(resource);
  if (!add_within(of_key, amount, limit.of_key)) return refuse(resource, true, limit.of_key);
  if (!add_within(totals_[static_cast<std::size_t>(resource)].taken, amount, limit.in_all)) {
    of_key.fetch_sub(amount, std::memory_order_relaxed);
    return refuse(resource, false, limit.in_all);
  }
  return Share(*this, account, resource, amount);
}

Excess Budgets::refuse(Resource resource, bool is_of_key, std::size_t limit) {
  totals_[static_cast<std::size_t>(resource)].refusals[is_of_key ? 1 : 0].fetch_add(
      1, std::memory_order_relaxed);
  return {resource, is_of_key, limit};
}

void Budgets::give_back(Account& account, Resource resource, std::size_t amount) {
  account.of(resource).fetch_sub(amount, std::memory_order_relaxed);
  totals_[static_cast<std::size_t>(resource)].taken.fetch_sub(amount, std::memory_order_relaxed);
}

std::size_t Budgets::taken(Resource resource) const {
  return totals_[static_cast<std::size_t>(resource)].taken.load(std::memory_order_relaxed);
}

std::uint64_t Budgets::refusals(Resource resource, bool is_of_key) const {
  return totals_[static_cast<std::size_t>(resource)].refusals[is_of_key ? 1 : 0].load(
      std::memory_order_relaxed);
}

std::size_t Budgets::accounts() const {
  const std::lock_guard lock(mutex_);
  return accounts_.size();
}

}  // namespace sweepd::runtime
