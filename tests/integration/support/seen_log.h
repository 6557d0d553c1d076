// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "integration/support/server_fixture.h"

namespace sweepd::test {

/// A line of the log, with everything that an event says.
inline std::string line_of(const Event& event) {
  std::string line = std::to_string(event.sequence_number);
  for (const std::uint64_t field :
       {std::uint64_t{event.layer_a}, std::uint64_t{event.layer_b}, std::uint64_t{event.part_a},
        std::uint64_t{event.part_b}, std::uint64_t{event.time_of_impact}}) {
    line += ' ';
    line += std::to_string(field);
  }
  return line + " " + to_line(event);
}

/// Everything that one subscriber has seen.
struct SeenLog {
  std::vector<std::string> lines;
  std::uint64_t first = 0;
  std::size_t reconnections = 0;

  template <typename Source>
  void poll(Source& source) {
    while (const auto event = source.poll_event()) {
      if (lines.empty()) first = event->sequence_number;
      lines.push_back(line_of(*event));
    }
    while (const auto reconnection = source.poll_reconnection()) {
      ++reconnections;
      EXPECT_TRUE(reconnection->resumed);
    }
    EXPECT_FALSE(source.poll_snapshot());
  }

  /// From where it begins it is the whole log, line by line, which `truth` has seen.
  void expect_end_of(const SeenLog& truth) const {
    ASSERT_FALSE(lines.empty());
    ASSERT_GE(first, truth.first);
    const auto from = truth.lines.begin() + static_cast<std::ptrdiff_t>(first - truth.first);
    ASSERT_EQ(lines.size(), static_cast<std::size_t>(truth.lines.end() - from));
    EXPECT_TRUE(std::equal(from, truth.lines.end(), lines.begin()));
  }
};

}  // namespace sweepd::test
