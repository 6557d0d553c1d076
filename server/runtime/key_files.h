// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/telemetry/metrics.h"

namespace sweepd::runtime {

/// Files of keys that are read again when they change: whether they have, and a counter of what came of it.
/// Not thread-safe.
class KeyFiles {
 public:
  /// How often the owner asks `is_due`.
  static constexpr std::chrono::milliseconds kLookPeriod{500};

  explicit KeyFiles(std::vector<std::filesystem::path> paths) : paths_(std::move(paths)) {}

  /// A counter of this name, by outcome. Before `count`; without it nothing is counted.
  void show(Metrics& metrics, const std::string& name, const std::string& help);

  /// Whether the files are others than those that were read, and the same as at the last look.
  bool is_due();
  /// Before they are read: files that change meanwhile are due again.
  void begin_reading() { read_ = stamps(); }
  /// What came of reading them again.
  void count(bool is_taken);

 private:
  /// What tells a file from the one that was there before.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = 0;
    std::int64_t changed_s = 0;
    std::int64_t changed_ns = 0;  ///< The change of its state, which no copy keeps.
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  std::vector<Stamp> stamps() const;

  std::vector<std::filesystem::path> paths_;
  std::vector<Stamp> read_;  ///< When they were last read.
  std::vector<Stamp> seen_;  ///< When they were last looked at.
  std::optional<CounterFamily> outcomes_;
};

}  // namespace sweepd::runtime
