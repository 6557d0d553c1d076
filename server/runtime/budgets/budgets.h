// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/result.h"
#include "runtime/budgets/budget_key.h"

namespace sweepd::runtime {

/// What clients take of a server.
enum class Resource : std::uint8_t {
  kConnections,
  kStreams,  ///< Of Play, Watch, GetReplay, VerifyReplay and of health.
  kCalls,    ///< With one request and one answer, until the answer is taken.
  kMatches,  ///< That a client has created and that run.
  kBytes,    ///< Of large messages in memory: requests that are worked on, answers that are not taken.
};
inline constexpr std::size_t kResources = 5;
/// "connections"; of metrics.
std::string_view name_of(Resource resource);

struct BudgetLimit {
  std::size_t of_key = 0;
  std::size_t in_all = 0;
};
using BudgetLimits = std::array<BudgetLimit, kResources>;  ///< By Resource.

/// Which limit does not allow it.
struct Excess {
  Resource resource = Resource::kConnections;
  bool is_of_key = false;  ///< Else of all together.
  std::size_t limit = 0;
};

/// How much of each resource each key has taken, and all keys together. Only keys that have something, or
/// had it lately, take memory. Thread-safe.
class Budgets {
 public:
  /// Of one key. While a pointer to it is held, it is the only one of its key.
  class Account {
   public:
    explicit Account(BudgetKey key) : key_(std::move(key)) {}
    const BudgetKey& key() const { return key_; }
    std::size_t taken(Resource resource) const { return of(resource).load(std::memory_order_relaxed); }

   private:
    friend class Budgets;
    const std::atomic<std::size_t>& of(Resource resource) const {
      return taken_[static_cast<std::size_t>(resource)];
    }
    std::atomic<std::size_t>& of(Resource resource) { return taken_[static_cast<std::size_t>(resource)]; }
    const BudgetKey key_;
    std::array<std::atomic<std::size_t>, kResources> taken_{};
  };
  using AccountPtr = std::shared_ptr<Account>;

  /// What has been taken; given back when it goes. The budgets outlive it.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept { swap(other); }
    Share& operator=(Share&& other) noexcept {
      Share(std::move(other)).swap(*this);
      return *this;
    }
    ~Share() {
      if (account_ != nullptr) budgets_->give_back(*account_, resource_, amount_);
    }

   private:
    friend class Budgets;
    Share(Budgets& budgets, AccountPtr account, Resource resource, std::size_t amount)
        : budgets_(&budgets), account_(std::move(account)), resource_(resource), amount_(amount) {}
    void swap(Share& other) noexcept {
      std::swap(budgets_, other.budgets_);
      std::swap(account_, other.account_);
      std::swap(resource_, other.resource_);
      std::swap(amount_, other.amount_);
    }
    Budgets* budgets_ = nullptr;
    AccountPtr account_;  ///< Null: nothing is taken.
    Resource resource_ = Resource::kConnections;
    std::size_t amount_ = 0;
  };

  explicit Budgets(const BudgetLimits& limits) : limits_(limits) {}
  Budgets(const Budgets&) = delete;
  Budgets& operator=(const Budgets&) = delete;

  AccountPtr account(const BudgetKey& key);

  /// The first piece is given at any size, or a message larger than the limit could never pass: what
  /// is taken is at most the limit and one piece.
  base::Result<Share, Excess> take(const AccountPtr& account, Resource resource, std::size_t amount = 1);

  const BudgetLimit& limit(Resource resource) const { return limits_[static_cast<std::size_t>(resource)]; }
  std::size_t taken(Resource resource) const;
  /// How often `take` said no, by a key's limit or by that of all.
  std::uint64_t refusals(Resource resource, bool is_of_key) const;
  std::size_t accounts() const;

 private:
  friend class Share;
  void give_back(Account& account, Resource resource, std::size_t amount);
  Excess refuse(Resource resource, bool is_of_key, std::size_t limit);
  void forget_idle_accounts();

  struct Total {
    std::atomic<std::size_t> taken = 0;
    std::array<std::atomic<std::uint64_t>, 2> refusals{};  ///< Of all; of keys.
  };

  const BudgetLimits limits_;
  std::array<Total, kResources> totals_;
  mutable std::mutex mutex_;
  std::unordered_map<BudgetKey, AccountPtr> accounts_;  ///< Guarded by mutex_.
  std::size_t forget_at_ = 64;                          ///< Guarded by mutex_: so many accounts.
};

}  // namespace sweepd::runtime
