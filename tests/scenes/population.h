// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scenes/stage.h"

namespace sweepd::scenes {

// Who is on the stage. Lengths are in subunits; the shooters' playfield is 480 × 640 units.
Role player();
Role shot();
Role enemy();
/// For a block of `columns` × `rows` parts, which stays on the playfield as a whole.
Role boss_part(std::uint32_t columns, std::uint32_t rows);
Role bullet();
Role power_up();
/// `role`, at about the same x as everyone, moving up or down.
Role in_column(const Role& role);

/// A box of Moertel's test of 1994, at a fresh place every tick.
Role scattered();

/// One of `count` boxes on a square so large that each overlaps about one other.
Role arena_box(std::uint32_t count, Habit habit);
Role enlarged(const Role& role, std::int32_t times);

inline constexpr collision::Point kStackPosition{100 * 256 + 77, 100 * 256 + 33};
Role stacked(Habit habit);

}  // namespace sweepd::scenes
