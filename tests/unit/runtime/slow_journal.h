// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/journal/journal.h"

namespace sweepd::runtime {

/// A journal that writes nothing down, and settles what it is asked for when the test says so.
class SlowJournal final : public Journal {
 public:
  Position append(JournalRecord) override { return 0; }
  Position durable_position() const override { return 0; }
  bool is_crowded() const override { return false; }
  bool has_room() const override { return true; }
  bool is_failing() const override { return false; }
  void when_settled(Position position, std::function<void()> done) override {
    positions.push_back(position);
    waiting_.push_back(std::move(done));
  }
  void settle_all() override {
    for (const auto& done : std::exchange(waiting_, {})) done();
  }
  std::size_t match_bytes_max() const override { return 0; }
  std::uint64_t match_bytes_per_second() const override { return bytes_per_second; }

  std::vector<Position> positions;
  std::uint64_t bytes_per_second = 0;

 private:
  std::vector<std::function<void()>> waiting_;
};

}  // namespace sweepd::runtime
