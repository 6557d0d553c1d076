// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>

namespace sweepd::runtime {

/// So much of something that many share, and no more. Thread-safe.
class Allowance {
 public:
  explicit Allowance(std::size_t most) : most_(most) {}

  /// False: there is not so much left, and nothing is taken.
  bool take(std::size_t amount) {
    std::size_t taken = taken_.load(std::memory_order_relaxed);
    do {
      if (amount > most_ - taken) return false;
    } while (!taken_.compare_exchange_weak(taken, taken + amount, std::memory_order_relaxed));
    return true;
  }
  void give_back(std::size_t amount) { taken_.fetch_sub(amount, std::memory_order_relaxed); }

  std::size_t most() const { return most_; }
  std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> taken_ = 0;
};

}  // namespace sweepd::runtime
