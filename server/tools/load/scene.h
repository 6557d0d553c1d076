// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sweepd::tools::load {

struct Point {
  std::int32_t x = 0;
  std::int32_t y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// Relative to its object's position, in subunits.
struct PartBox {
  std::int32_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;
};

/// A straight flight from one tick of the loop to another. At the end of tick `begin_tick + n` the object is
/// at `start + (n + 1) * velocity`: as if it had been spawned in that tick at `start` with that motion.
struct Flight {
  std::uint32_t begin_tick = 0;  ///< Within the loop.
  std::uint32_t ticks = 0;       ///< How many it lasts; it may go on over the loop's end.
  Point start;
  Point velocity;  ///< Subunits per tick.
};

inline constexpr std::uint32_t kPlayerLayer = 0;  ///< In every scene.

/// An object of a scene: where it is at the end of every tick of the loop.
struct Actor {
  std::uint32_t layer = 0;
  std::vector<PartBox> parts;
  std::vector<Point> path;  ///< One for every tick of the loop; after the last comes the first again.
  std::vector<Flight>
      flights;  ///< Of an actor that flies: all of the loop, in order, at least two. Else empty.
  bool is_ballistic = false;  ///< A bullet or a shot: a server can move it.
};

/// What a load match plays: a loop of ticks that ends where it began, so that it can go on for ever.
struct Scene {
  std::string name;
  std::vector<std::string> layers;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> collides;  ///< Layers by index.
  std::uint32_t ticks = 0;                                        ///< Of the loop.
  Point field;                                                    ///< The playfield is (0, 0) to here.
  std::vector<Actor> actors;
};

/// How fine positions are, in subunits a pixel, 1 to 256. With 8, no common movement of a tick (up to 63
/// subunits) takes more than one byte.
inline constexpr std::uint32_t kSubunitsPerPixel = 8;

/// W1: 2 players, 40 shots, 60 enemies, 4 bosses of 8 parts, 20 power-ups, 300 bullets on 480 × 640 pixels.
Scene gunbird(std::uint32_t subunits_per_pixel = kSubunitsPerPixel);
/// W2: 4 players, 400 shots, 100 enemies, 5000 bullets.
Scene bullet_hell(std::uint32_t subunits_per_pixel = kSubunitsPerPixel);

}  // namespace sweepd::tools::load
