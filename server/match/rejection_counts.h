// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/assert.h"
#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace sweepd::match {

enum class RejectionReason : std::uint8_t;

/// Past the highest number of a reason.
inline constexpr std::size_t kRejectionReasonsEnd = 64;

/// How often a participant was refused something, by rule.
class RejectionCounts {
 public:
  void add(RejectionReason reason) { ++at(static_cast<std::uint8_t>(reason)); }
  std::uint64_t of(RejectionReason reason) const {
    const auto place = static_cast<std::size_t>(reason);
    return place < counts_.size() ? counts_[place] : 0;
  }
  std::uint64_t sum() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

  /// Those that are not 0.
  void save(base::ByteWriter& writer) const {
    writer.number(counts_.size() - static_cast<std::size_t>(std::ranges::count(counts_, 0u)));
    for (std::size_t reason = 0; reason < counts_.size(); ++reason) {
      if (counts_[reason] == 0) continue;
      writer.number(reason);
      writer.number(counts_[reason]);
    }
  }
  void restore(base::ByteReader& reader) {
    for (std::size_t i = reader.count(2); i > 0 && reader.ok(); --i) {
      const auto reason = static_cast<std::size_t>(reader.number(kRejectionReasonsEnd - 1));
      at(reason) = reader.number();
    }
  }

 private:
  std::uint64_t& at(std::size_t reason) {
    SWEEPD_ASSERT(reason < kRejectionReasonsEnd);
    if (reason >= counts_.size()) counts_.resize(reason + 1);
    return counts_[reason];
  }

  std::vector<std::uint64_t> counts_;  ///< By reason, up to the highest that there was: mostly none.
};

}  // namespace sweepd::match
