// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/object.h"

namespace sweepd::match {

/// How far back a participant's delay lets it claim. Falls to a smaller delay at once, and rises to a larger
/// one by a tick in `rise_ticks`: after any measurements d(s) at ticks s it is at most the least of
/// d(s) + (now - s) / rise_ticks, rounded down, and at most the last of them. Begins at 0.
class ClaimWindow {
 public:
  explicit ClaimWindow(collision::Tick begin = 0) : since_(begin) {}

  /// `rise_ticks`: 1 at least. Measurements may come out of their order: an earlier one lets nothing rise.
  void note(collision::Tick now, std::uint32_t delay, std::uint32_t rise_ticks) {
    const collision::Tick steps = now > since_ ? (now - since_) / rise_ticks : 0;
    if (delay > ticks_ && steps < delay - ticks_) {
      ticks_ += static_cast<std::uint32_t>(steps);
      since_ += steps * rise_ticks;
      return;
    }
    ticks_ = delay;
    since_ = std::max(since_, now);
  }

  std::uint32_t ticks() const { return ticks_; }

  void save(base::ByteWriter& writer) const {
    writer.number(ticks_);
    writer.number(since_);
  }
  void restore(base::ByteReader& reader) {
    ticks_ = reader.number32();
    since_ = reader.number();
  }

 private:
  std::uint32_t ticks_ = 0;
  collision::Tick since_;  ///< From where on the next rise counts.
};

}  // namespace sweepd::match
