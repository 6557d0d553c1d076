// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/frame.h"

namespace sweepd::match {

/// How many frames of a participant have been taken for each tick, whenever they came: so that frames which
/// were held up and come together are not too many. Remembers the ticks of which frames may still come.
class FrameTally {
 public:
  /// One more for `tick`, unless there are `max` already. No frame for a tick before `first` may come.
  bool take(Tick tick, std::uint32_t max, Tick first) {
    counts_.erase(counts_.begin(), counts_.lower_bound(first));
    std::uint32_t& count = counts_[tick];
    if (count >= max) return false;
    ++count;
    return true;
  }

  void save(base::ByteWriter& writer) const {
    writer.number(counts_.size());
    for (const auto& [tick, count] : counts_) {
      writer.number(tick);
      writer.number(count);
    }
  }
  void restore(base::ByteReader& reader) {
    for (std::size_t i = reader.count(2); i > 0 && reader.ok(); --i) {
      const Tick tick = reader.number();
      reader.require(counts_.empty() || tick > counts_.rbegin()->first, "is a tick out of its order");
      counts_.emplace_hint(counts_.end(), tick, reader.number32());
    }
  }

 private:
  std::map<Tick, std::uint32_t> counts_;  ///< As many as max_late_ticks and max_lead_ticks allow.
};

}  // namespace sweepd::match
