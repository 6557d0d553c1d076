// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sweepd::bench {

/// What a world takes in one scene.
struct WorldFigures {
  std::string scene;
  std::uint32_t worlds = 1;
  std::uint32_t box_count = 0;    ///< Of one world.
  double hot_us = 0;              ///< A tick, if it is the only world.
  double in_turn_us = 0;          ///< A tick, if all are ticked in turn and each has left the cache.
  double bytes_per_box = 0;       ///< Heap memory, divided by the number of boxes.
  double encounters_per_box = 0;  ///< Open at the end: they are part of the memory.

  double cold_ratio() const { return in_turn_us / hot_us; }
};

/// A thousand small matches ticked in turn may take at most so many times a hot one's time each.
inline constexpr double kColdRatioMax = 2;
inline constexpr double kBytesPerBoxMax = 128;

/// A thousand worlds of the small scene, and one each of the others.
std::vector<WorldFigures> measure_worlds();

/// Prints them; false if a bound is broken. The bound on memory is one on boxes: it is judged where there is
/// at most an open encounter to ten boxes.
bool print_worlds(const std::vector<WorldFigures>& worlds, std::ostream& out);

}  // namespace sweepd::bench
