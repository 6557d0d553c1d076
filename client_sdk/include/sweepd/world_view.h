// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sweepd/match_feed.h"
#include "sweepd/status.h"
#include "sweepd/world.h"

namespace sweepd {

struct WorldViewOptions {
  /// Objects that others move are drawn so many ticks late, between what came before and after: so they move
  /// evenly though updates come unevenly.
  double interpolation_ticks = 2;
  /// What others move goes on as it went for so many ticks after the last news, then it waits there.
  double extrapolation_max_ticks = 6;
  /// Where news show that something was drawn in the wrong place, it gets to the right one in so many ticks.
  double correction_ticks = 6;
  /// Farther off than so many units it is drawn in the right place at once.
  double correction_distance_max = 64;
};

/// What an update of a view brought.
struct WorldNews {
  bool begins_anew = false;  ///< A snapshot: all objects have appeared; those from before are gone.
  std::vector<ObjectId> appeared = {};
  std::vector<WorldDeparture> departed = {};
  std::vector<FrameArrival> frames = {};  ///< The session's own, as they came to the server.
};

/// The world of a match as a session or a watcher is told of it (JoinOptions::world, WatchOptions::world), on
/// the thread of the game loop. No call blocks. One view for each session or watcher.
///
///     WorldView view(session);
///     while (running) {
///       view.update();
///       for (const WorldObject* object : view.objects()) draw(*object, *view.drawn_position(object->id));
///     }
class WorldView {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit WorldView(const MatchFeed& feed, const WorldViewOptions& options = {});
  WorldView(WorldView&&) noexcept;
  WorldView& operator=(WorldView&&) noexcept;
  ~WorldView();

  /// Takes what has come, and the time of what is drawn next. Once for each picture.
  WorldNews update(TimePoint now = std::chrono::steady_clock::now());

  /// The mirror is exact after this tick; 0: nothing has come yet, or it is as before the first.
  Tick tick() const;
  /// How many objects are in view that have not appeared yet: see WorldInterest::bytes_per_second.
  std::uint32_t waiting() const;
  /// By id.
  std::vector<const WorldObject*> objects() const;
  /// Null: it is not in view. Until the next update.
  const WorldObject* find(ObjectId id) const;

  /// Where the server has the object after that tick, from the last news on: by its motion, exactly, unless
  /// something else happens to it meanwhile. Of earlier ticks as far back as is known of what others move,
  /// else as of the last news. Nothing: it is not in view.
  std::optional<Vec2> position_at(ObjectId id, Tick tick) const;
  /// The motion with which it goes on after that tick. Nothing: it is not in view.
  std::optional<Motion> motion_at(ObjectId id, Tick tick) const;
  /// Where to draw it at the time of the last update: what flies by its motion where it is at
  /// `estimated_tick()`, what others move interpolated, `interpolation_ticks` late.
  std::optional<Vec2> drawn_position(ObjectId id) const;
  /// Where to draw it at another tick.
  std::optional<Vec2> drawn_position(ObjectId id, double tick) const;

  /// The tick of which an update would arrive now if it came as fast as the fastest of late. It runs on
  /// between updates and does not go back, but when the server has died and come back earlier.
  double estimated_tick() const;
  /// How many ticks after `estimated_tick()` a frame has to be for to come in time: of the last 64 that named
  /// a tick 95% would have. Before there are 8 of them, by how far this participant lags as the server
  /// measures it. At least 1. Of a watcher 1.
  Tick recommended_lead() const;

  /// All players and stages, by number.
  const std::vector<WorldParticipant>& participants() const;
  /// How far the playfield has scrolled.
  Vec2 playfield_origin() const;

  /// Not ok: the server has sent what cannot be; the view stands still until the next snapshot.
  Status error() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sweepd
