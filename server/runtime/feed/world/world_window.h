// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "collision/geometry.h"
#include "runtime/feed/world/world_interest.h"

namespace sweepd::runtime {

/// The region of an interest, where it is after the last tick. One that follows an object is nowhere until
/// that has been seen, and stays where it was last.
class WorldWindow {
 public:
  explicit WorldWindow(const WorldInterest& interest);

  bool is_bounded() const { return is_bounded_; }
  /// `followed`: where the object is that it follows; nothing: it is not there, or not to be seen.
  void move(std::optional<collision::Point> followed);
  /// Whether what has these bounds is in it; what `is_shown` may be outside by the margin.
  bool shows(const collision::Box& bounds, bool is_shown) const;
  /// What is nearest to here matters most. Nothing: there is no such place.
  std::optional<collision::Point> focus() const { return focus_; }

 private:
  bool is_bounded_;
  collision::Box region_;  ///< Relative where it follows.
  std::uint32_t leave_margin_;
  bool follows_;
  std::optional<collision::Point> focus_;
  std::optional<collision::Box> now_;
};

}  // namespace sweepd::runtime
