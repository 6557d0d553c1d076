// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/object.h"

namespace sweepd::match {

using collision::Tick;

inline constexpr std::uint32_t kPaceIntervalMax = 36'000;
inline constexpr std::uint32_t kPaceBurstMax = 1000;

/// So many at once, and one more for every interval: the generic cell rate algorithm, in whole ticks (ITU-T
/// I.371). One number says all.
class TickPace {
 public:
  bool has_room(Tick tick, std::uint32_t interval, std::uint32_t burst) const {
    return due_ <= tick + std::uint64_t{interval} * (burst - 1);
  }
  void take(Tick tick, std::uint32_t interval) { due_ = std::max(due_, tick) + interval; }
  /// The first tick in which there will be room.
  Tick next(std::uint32_t interval, std::uint32_t burst) const {
    const std::uint64_t ahead = std::uint64_t{interval} * (burst - 1);
    return due_ > ahead ? due_ - ahead : 0;
  }

  void save(base::ByteWriter& writer, Tick tick) const { writer.number(due_ > tick ? due_ - tick : 0); }
  void restore(base::ByteReader& reader, Tick tick) {
    const Tick ahead = reader.number(Tick{kPaceIntervalMax} * (kPaceBurstMax + 1));
    due_ = ahead == 0 ? 0 : tick + ahead;
  }

 private:
  Tick due_ = 0;
};

}  // namespace sweepd::match
