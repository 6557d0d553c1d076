// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sweepd::tools {

/// A box relative to its object's position, in subunits.
struct TraceBox {
  std::int32_t min_x = 0;
  std::int32_t min_y = 0;
  std::int32_t max_x = 0;
  std::int32_t max_y = 0;
};

enum class TraceCommandKind : std::uint8_t { kSpawn, kMove, kDespawn };

/// One line of a frame. `x` and `y` belong to spawns and moves, the rest to spawns alone.
struct TraceCommand {
  TraceCommandKind kind = TraceCommandKind::kSpawn;
  std::uint32_t line = 0;
  std::uint32_t object = 0;
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::uint32_t layer = 0;      ///< Index in Trace::layers.
  std::uint32_t first_box = 0;  ///< Index in Trace::boxes.
  std::uint32_t box_count = 0;
};

/// What one participant does in one tick.
struct TraceFrame {
  std::uint64_t tick = 0;
  std::vector<TraceCommand> commands;
};

struct TraceParticipant {
  std::string name;
  std::uint32_t first_id = 0;      ///< The smallest id it spawns; 0 if it spawns nothing.
  std::uint32_t last_id = 0;       ///< The largest.
  std::uint32_t objects_max = 0;   ///< The most objects it has at the end of any of its frames.
  std::vector<TraceFrame> frames;  ///< By tick, one at most for each.
};

/// A recorded match. Every trace that `parse_trace` returns is one that a server can play without refusing
/// anything: ids are in use when their owner moves or despawns them, and every box stays in the range of
/// coordinates.
struct Trace {
  std::vector<std::string> layers;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> collides;  ///< Indices in `layers`, each pair once.
  std::vector<TraceParticipant> participants;  ///< In the order in which their frames apply.
  std::vector<TraceBox> boxes;                 ///< Of all spawns.
  std::uint64_t last_tick = 0;

  std::span<const TraceBox> boxes_of(const TraceCommand& command) const {
    return std::span(boxes).subspan(command.first_box, command.box_count);
  }
};

}  // namespace sweepd::tools
