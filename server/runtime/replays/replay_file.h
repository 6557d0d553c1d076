// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "runtime/budgets/budget_key.h"

namespace sweepd::runtime {

/// An open file with a replay's bytes. It stays readable when the file is removed meanwhile. Thread-safe.
class ReplayFile {
 public:
  /// Takes the descriptor over. `creator`: of the match.
  ReplayFile(int descriptor, std::uint64_t size, BudgetKey creator = {})
      : descriptor_(descriptor), size_(size), creator_(std::move(creator)) {}
  ~ReplayFile();
  ReplayFile(const ReplayFile&) = delete;
  ReplayFile& operator=(const ReplayFile&) = delete;

  std::uint64_t size() const { return size_; }
  /// Whose budget the match was charged to; empty: not known.
  const BudgetKey& creator() const { return creator_; }

  /// Up to `bytes_max` from there on; fewer at the end only. Nothing: the disk cannot be read.
  std::optional<std::string> read(std::uint64_t offset, std::size_t bytes_max) const;

 private:
  int descriptor_;
  std::uint64_t size_;
  BudgetKey creator_;
};

}  // namespace sweepd::runtime
