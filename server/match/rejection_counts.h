// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace sweepd::match {

enum class RejectionReason : std::uint8_t;

/// Past the highest number of a reason.
inline constexpr std::size_t kRejectionReasonsEnd = 64;

/// How often a participant was refused something, by rule.
class RejectionCounts {
 public:
  void add(RejectionReason reason) { ++counts_.at(static_cast<std::uint8_t>(reason)); }
  std::uint64_t of(RejectionReason reason) const { return counts_.at(static_cast<std::uint8_t>(reason)); }
  std::uint64_t sum() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

  /// Those that are not 0.
  void save(base::ByteWriter& writer) const {
    writer.number(kRejectionReasonsEnd - static_cast<std::size_t>(std::ranges::count(counts_, 0u)));
    for (std::size_t reason = 0; reason < counts_.size(); ++reason) {
      if (counts_[reason] == 0) continue;
      writer.number(reason);
      writer.number(counts_[reason]);
    }
  }
  void restore(base::ByteReader& reader) {
    for (std::size_t i = reader.count(2); i > 0 && reader.ok(); --i) {
      const auto reason = static_cast<std::size_t>(reader.number(kRejectionReasonsEnd - 1));
      counts_[reason] = reader.number();
    }
  }

 private:
  std::array<std::uint64_t, kRejectionReasonsEnd> counts_{};
};

}  // namespace sweepd::match
