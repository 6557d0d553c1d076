// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/result.h"
#include "runtime/budgets/budget_key.h"
#include "runtime/budgets/rate_budget.h"
#include "runtime/budgets/resource.h"

namespace sweepd::runtime {

/// How much of each resource each key has taken, and all keys together. Only keys that have something, or
/// had it lately, take memory. Thread-safe.
class Budgets {
 public:
  /// Of one key. While a pointer to it is held, it is the only one of its key.
  class Account {
   public:
    Account(KeyKind kind, BudgetKey key, const BudgetLimits& limits);
    KeyKind kind() const { return kind_; }
    const BudgetKey& key() const { return key_; }
    std::size_t taken(Resource resource) const {
      return held_[index_of(resource)].load(std::memory_order_relaxed);
    }
    /// Of what is spent.
    RateBudget& rate(Resource resource) { return rates_[index_of(resource) - kHeldResources]; }
    const RateBudget& rate(Resource resource) const { return rates_[index_of(resource) - kHeldResources]; }

   private:
    friend class Budgets;
    std::atomic<std::size_t>& of(Resource resource) { return held_[index_of(resource)]; }
    bool is_debtor(TimePoint now) const;

    const KeyKind kind_;
    const BudgetKey key_;
    std::array<std::atomic<std::size_t>, kHeldResources> held_{};
    std::array<RateBudget, kSpentResources> rates_{};
  };
  using AccountPtr = std::shared_ptr<Account>;

  /// The accounts that one caller's costs are charged to, at most one of each kind: all of them pay, or none.
  class Payers {
   public:
    Payers() = default;
    Payers(AccountPtr account) { add(std::move(account)); }  // NOLINT(google-explicit-constructor): one pays.

    /// In the place of the one of its kind.
    void add(AccountPtr account) { accounts_[account->kind()] = std::move(account); }
    void remove(KeyKind kind) { accounts_[kind] = nullptr; }
    /// Null: none of that kind.
    const AccountPtr& of(KeyKind kind) const { return accounts_[kind]; }
    bool empty() const;
    /// That which says most about who it is. There is one.
    const Account& own() const;

    // Of what is spent.
    bool has_room(Resource resource, TimePoint now) const;
    void charge(Resource resource, std::uint64_t amount, TimePoint now) const;
    /// The least that one of them may have in a second; 0: no limit.
    std::uint64_t least_rate(Resource resource) const;

   private:
    friend class Budgets;
    ByKind<AccountPtr> accounts_;
  };

  /// What has been taken of what is held; given back when it goes. The budgets outlive it.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept { swap(other); }
    Share& operator=(Share&& other) noexcept {
      Share(std::move(other)).swap(*this);
      return *this;
    }
    ~Share() {
      if (budgets_ != nullptr) budgets_->give_back(payers_, resource_, amount_);
    }
    bool empty() const { return budgets_ == nullptr; }
    /// From now on one with another of the same payers and resource; or that, if this is empty.
    void add(Share other);

   private:
    friend class Budgets;
    Share(Budgets& budgets, const Payers& payers, Resource resource, std::size_t amount)
        : budgets_(&budgets), payers_(payers), resource_(resource), amount_(amount) {}
    void swap(Share& other) noexcept {
      std::swap(budgets_, other.budgets_);
      std::swap(payers_, other.payers_);
      std::swap(resource_, other.resource_);
      std::swap(amount_, other.amount_);
    }
    Budgets* budgets_ = nullptr;  ///< Null: nothing is taken.
    Payers payers_;
    Resource resource_ = Resource::kConnections;
    std::size_t amount_ = 0;
  };

  explicit Budgets(const BudgetLimits& limits) : limits_(limits) {}
  Budgets(const Budgets&) = delete;
  Budgets& operator=(const Budgets&) = delete;

  AccountPtr account(KeyKind kind, const BudgetKey& key);

  /// Of what is held. The first piece is given at any size, or a message larger than the limit could never
  /// pass: what is taken is at most the limit and one piece.
  base::Result<Share, Excess> take(const Payers& payers, Resource resource, std::size_t amount = 1);
  /// Of what the share has, these pay as well from now on; none of their kinds has paid yet. It counts once
  /// in all together. An excess where one of them has too much, and nothing changes.
  std::optional<Excess> charge_also(Share& share, const Payers& more);
  /// As `take`, beyond all limits: for what was there before, and counts now.
  Share take_anyway(const Payers& payers, Resource resource, std::size_t amount = 1);

  /// Of what is spent. An excess where one of the payers has nothing left, and nothing is taken; else all are
  /// charged, be it more than what is left. Amount 0 asks whether there is something.
  std::optional<Excess> spend(const Payers& payers, Resource resource, std::uint64_t amount, TimePoint now);

  const BudgetLimit& limit(Resource resource) const { return limits_[resource]; }
  std::size_t taken(Resource resource) const;
  /// How often `take` and `spend` said no, by the limit of a kind of key or, without one, by that of all.
  std::uint64_t refusals(Resource resource, std::optional<KeyKind> kind) const;
  std::size_t accounts() const;

 private:
  friend class Share;
  /// Of each of the payers, not of all together.
  std::optional<Excess> take_of_each(const Payers& payers, Resource resource, std::size_t amount);
  void give_back(const Payers& payers, Resource resource, std::size_t amount);
  void give_back_to(const Payers& payers, Resource resource, std::size_t amount, std::size_t kinds_end);
  Excess refuse(const Excess& excess);
  void forget_idle_accounts();

  using Accounts = std::unordered_map<BudgetKey, AccountPtr>;
  static constexpr std::size_t kScopes = kKeyKinds + 1;  ///< Each kind, and all together.

  const BudgetLimits limits_;
  std::array<std::atomic<std::size_t>, kHeldResources> totals_{};
  std::array<std::array<std::atomic<std::uint64_t>, kScopes>, kResources> refusals_{};
  mutable std::mutex mutex_;
  ByKind<Accounts> accounts_;   ///< Guarded by mutex_.
  std::size_t count_ = 0;       ///< Guarded by mutex_: of accounts.
  std::size_t forget_at_ = 64;  ///< Guarded by mutex_: so many accounts.
};

using Payers = Budgets::Payers;

}  // namespace sweepd::runtime
