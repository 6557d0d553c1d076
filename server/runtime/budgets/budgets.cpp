// SPDX-License-Identifier: MIT
#include "runtime/budgets/budgets.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

bool add_within(std::atomic<std::size_t>& taken, std::size_t amount, std::size_t limit) {
  std::size_t before = taken.load(std::memory_order_relaxed);
  do {
    const bool is_first = before == 0 && limit > 0;
    if (!is_first && (before > limit || amount > limit - before)) return false;
  } while (!taken.compare_exchange_weak(before, before + amount, std::memory_order_relaxed));
  return true;
}

}  // namespace

Budgets::Account::Account(KeyKind kind, BudgetKey key, const BudgetLimits& limits)
    : kind_(kind), key_(std::move(key)) {
  for (std::size_t i = 0; i < kSpentResources; ++i)
    rates_[i].limit(limits.all[kHeldResources + i].of_key[kind]);
}

bool Budgets::Account::is_debtor(TimePoint now) const {
  return !std::ranges::all_of(rates_, [now](const RateBudget& rate) { return rate.is_full(now); });
}

bool Payers::empty() const {
  return std::ranges::all_of(accounts_.values, [](const AccountPtr& account) { return account == nullptr; });
}

const Budgets::Account& Payers::own() const {
  for (const AccountPtr& account : accounts_.values) {
    if (account != nullptr && account->kind() != KeyKind::kTenant) return *account;
  }
  SWEEPD_ASSERT(of(KeyKind::kTenant) != nullptr);
  return *of(KeyKind::kTenant);
}

bool Payers::has_room(Resource resource, TimePoint now) const {
  return std::ranges::all_of(accounts_.values, [=](const AccountPtr& account) {
    return account == nullptr || account->rate(resource).has_room(now);
  });
}

void Payers::charge(Resource resource, std::uint64_t amount, TimePoint now) const {
  for (const AccountPtr& account : accounts_.values) {
    if (account != nullptr) account->rate(resource).take(amount, now);
  }
}

std::uint64_t Payers::least_rate(Resource resource) const {
  std::uint64_t least = 0;
  for (const AccountPtr& account : accounts_.values) {
    const std::uint64_t rate = account == nullptr ? 0 : account->rate(resource).per_second();
    if (rate != 0 && (least == 0 || rate < least)) least = rate;
  }
  return least;
}

void Budgets::Share::add(Share other) {
  if (empty()) return swap(other);
  if (other.empty()) return;
  SWEEPD_ASSERT(other.resource_ == resource_ && &other.payers_.own() == &payers_.own());
  amount_ += std::exchange(other.amount_, 0);
}

Budgets::AccountPtr Budgets::account(KeyKind kind, const BudgetKey& key) {
  const std::lock_guard lock(mutex_);
  Accounts& accounts = accounts_[kind];
  const auto it = accounts.find(key);
  if (it != accounts.end()) return it->second;
  if (count_ >= forget_at_) forget_idle_accounts();
  ++count_;
  return accounts.emplace(key, std::make_shared<Account>(kind, key, limits_)).first->second;
}

// A share holds its account. The next look is when there are twice as many as stayed: so looking costs each
// new account a constant. An account that has spent too much is kept.
void Budgets::forget_idle_accounts() {
  const TimePoint now = steady_now();
  count_ = 0;
  for (Accounts& accounts : accounts_.values) {
    std::erase_if(accounts, [now](const auto& entry) {
      return entry.second.use_count() == 1 && !entry.second->is_debtor(now);
    });
    count_ += accounts.size();
  }
  forget_at_ = std::max<std::size_t>(64, count_ * 2);
}

std::optional<Excess> Budgets::take_of_each(const Payers& payers, Resource resource, std::size_t amount) {
  const BudgetLimit& limit = this->limit(resource);
  for (const KeyKind kind : kAllKeyKinds) {
    Account* const account = payers.of(kind).get();
    if (account == nullptr || add_within(account->of(resource), amount, limit.of_key[kind])) continue;
    give_back_to(payers, resource, amount, static_cast<std::size_t>(kind));
    return refuse({.resource = resource, .kind = kind, .limit = limit.of_key[kind]});
  }
  return std::nullopt;
}

base::Result<Budgets::Share, Excess> Budgets::take(const Payers& payers, Resource resource,
                                                   std::size_t amount) {
  if (auto excess = take_of_each(payers, resource, amount)) return *excess;
  const std::uint64_t in_all = limit(resource).in_all;
  if (!add_within(totals_[index_of(resource)], amount, in_all)) {
    give_back_to(payers, resource, amount, kKeyKinds);
    return refuse({.resource = resource, .limit = in_all});
  }
  return Share(*this, payers, resource, amount);
}

std::optional<Excess> Budgets::charge_also(Share& share, const Payers& more) {
  if (share.empty()) return std::nullopt;
  if (auto excess = take_of_each(more, share.resource_, share.amount_)) return excess;
  for (const AccountPtr& account : more.accounts_.values) {
    if (account == nullptr) continue;
    SWEEPD_ASSERT(share.payers_.of(account->kind()) == nullptr);
    share.payers_.add(account);
  }
  return std::nullopt;
}

Budgets::Share Budgets::take_anyway(const Payers& payers, Resource resource, std::size_t amount) {
  for (const AccountPtr& account : payers.accounts_.values) {
    if (account != nullptr) account->of(resource).fetch_add(amount, std::memory_order_relaxed);
  }
  totals_[index_of(resource)].fetch_add(amount, std::memory_order_relaxed);
  return {*this, payers, resource, amount};
}

std::optional<Excess> Budgets::spend(const Payers& payers, Resource resource, std::uint64_t amount,
                                     TimePoint now) {
  for (const AccountPtr& account : payers.accounts_.values) {
    if (account == nullptr || account->rate(resource).has_room(now)) continue;
    const RateBudget& rate = account->rate(resource);
    return refuse({.resource = resource,
                   .kind = account->kind(),
                   .limit = rate.per_second(),
                   .retry_after = rate.missing(now)});
  }
  if (amount != 0) payers.charge(resource, amount, now);
  return std::nullopt;
}

Excess Budgets::refuse(const Excess& excess) {
  const std::size_t scope = excess.kind ? static_cast<std::size_t>(*excess.kind) : kKeyKinds;
  refusals_[index_of(excess.resource)][scope].fetch_add(1, std::memory_order_relaxed);
  return excess;
}

void Budgets::give_back(const Payers& payers, Resource resource, std::size_t amount) {
  give_back_to(payers, resource, amount, kKeyKinds);
  totals_[index_of(resource)].fetch_sub(amount, std::memory_order_relaxed);
}

void Budgets::give_back_to(const Payers& payers, Resource resource, std::size_t amount,
                           std::size_t kinds_end) {
  for (std::size_t kind = 0; kind < kinds_end; ++kind) {
    const AccountPtr& account = payers.accounts_.values[kind];
    if (account != nullptr) account->of(resource).fetch_sub(amount, std::memory_order_relaxed);
  }
}

std::size_t Budgets::taken(Resource resource) const {
  return totals_[index_of(resource)].load(std::memory_order_relaxed);
}

std::uint64_t Budgets::refusals(Resource resource, std::optional<KeyKind> kind) const {
  const std::size_t scope = kind ? static_cast<std::size_t>(*kind) : kKeyKinds;
  return refusals_[index_of(resource)][scope].load(std::memory_order_relaxed);
}

std::size_t Budgets::accounts() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

}  // namespace sweepd::runtime
