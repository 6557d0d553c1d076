// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "collision/geometry.h"
#include "scenes/scene.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::bench {

/// What moves bullets and shots. Everything else is moved by frames in either case.
enum class Movement : std::uint8_t { kExplicit, kServerMotion };

/// What the clients of a match send when they play a recorded scene together: each has every n-th object, and
/// says in a frame a tick what becomes of it. Positions are in eighths of a playfield unit, as a game has
/// them that minds its bytes: what moves by a few units a tick takes a byte a coordinate.
class SceneTraffic {
 public:
  static constexpr std::uint32_t kClients = 4;
  static constexpr std::uint32_t kIdsPerClient = 1u << 20;

  SceneTraffic(const scenes::Recording& recording, Movement movement);

  /// Slots named "client0" to "client3", whose blocks of ids the frames use; REALTIME, 60 Hz.
  v1::MatchConfig match_config() const;

  std::uint32_t ticks() const { return static_cast<std::uint32_t>(frames_.size()); }
  /// `tick` counts from 0, the frame that spawns everything.
  const v1::Frame& frame(std::uint32_t tick, std::uint32_t client) const { return frames_[tick][client]; }

 private:
  struct Actor {
    std::uint32_t id = 0;
    std::uint32_t client = 0;
    collision::LayerId layer = 0;
    std::vector<v1::Part> parts;
    std::vector<collision::Point> way;  ///< Where it is, tick by tick.

    /// By how much it moves, as the recording has it.
    collision::Point step_to(std::size_t tick) const;
  };

  void lay_out_actors(const scenes::Recording& recording);
  void write_frames();
  void write(Actor& actor, std::size_t tick, v1::Frame& frame);
  void write_spawn(Actor& actor, std::size_t tick, v1::Frame& frame);
  void write_move(const Actor& actor, std::size_t tick, v1::Frame& frame);
  bool moves_by_itself(const Actor& actor) const;

  const Movement movement_;
  const collision::CollisionMatrix matrix_;
  std::vector<Actor> actors_;
  std::vector<std::vector<v1::Frame>> frames_;   // By tick, by client.
  std::vector<std::uint32_t> next_id_;           // By client.
  std::vector<std::uint32_t> last_id_in_frame_;  // By client: in the columns of the frame in progress.
};

}  // namespace sweepd::bench
