// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/budgets/budget_key.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

class ReplayStore;

/// A replay on its way into a store. It is not visible before its commit; without one, nothing of it stays.
/// After an error it is over: nothing of it is left, and everything further tells the same error. The store
/// outlives it. For one thread at a time; different ones are independent.
class ReplayWriting {
 public:
  ReplayWriting(ReplayWriting&& other) noexcept;
  ReplayWriting& operator=(ReplayWriting&&) = delete;
  ~ReplayWriting();

  /// Nothing, or why it failed: the disk is full, read-only, broken.
  [[nodiscard]] std::optional<std::string> append(std::string_view bytes);

  /// Nothing: the replay is in the store and survives a power cut. Else why it is not. Once.
  [[nodiscard]] std::optional<std::string> commit();

 private:
  friend class ReplayStore;
  ReplayWriting(ReplayStore& store, MatchId id, BudgetKey key, int descriptor);

  std::optional<std::string> fail(std::string_view action, int error_number);
  void discard();
  bool close_file();

  ReplayStore* store_;  ///< Null: over, or moved from.
  MatchId id_;
  BudgetKey key_;
  int descriptor_;
  std::string error_;
};

}  // namespace sweepd::runtime
