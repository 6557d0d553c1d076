// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/geometry.h"
#include "collision/layers.h"
#include "base/dice.h"

namespace sweepd::scenes {

/// How something on a stage moves.
enum class Habit : std::uint8_t {
  kRests,     ///< Never.
  kFlies,     ///< Straight; enters anew, with a new velocity, once it has left its range.
  kBounces,   ///< Straight; turned back by the edges of its range.
  kScatters,  ///< To a random place of its range, every tick.
  kDrifts,    ///< Straight, for ever.
  kJitters,   ///< Around its first place, by up to its velocity.
  kFollows,   ///< With the actor it follows, at a fixed offset.
};

/// Which velocities are drawn.
struct Speeds {
  collision::Box range;                ///< Of velocity_x and velocity_y.
  collision::Subunits length_min = 0;  ///< Of the vector; drawn again while it is not within these.
  collision::Subunits length_max = collision::kSubunitsMax;
};

/// What the actors of one kind have in common.
struct Role {
  collision::LayerId layer = 0;
  Habit habit = Habit::kRests;
  collision::Subunits width_min = 0, width_max = 0;
  collision::Subunits height_min = 0, height_max = 0;
  collision::Box range;  ///< Where an actor's low corner may be. It starts anywhere in it.
  collision::Box entry;  ///< kFlies: where its low corner is when it enters anew.
  Speeds speeds;
};

/// A deterministic play of boxes: tells a broadphase what changes, tick by tick.
/// Invariant: what does not rest moves in every tick; a handle is free for one update before it is used
/// again.
class Stage {
 public:
  explicit Stage(std::uint64_t seed) : dice_(seed) {}

  void add(const Role& role, std::uint32_t count);
  void add_at(const Role& role, std::uint32_t count, collision::Point position);
  /// Adds `columns` × `rows` squares side by side, of one object, which move as the role says.
  void add_block(const Role& role, std::uint32_t columns, std::uint32_t rows);
  /// From now on, in every tick, `count` actors of the last role added leave and as many enter, half of them
  /// at one point.
  void churn(const Role& role, std::uint32_t count);

  /// The first call yields everything there is as added.
  void next(collision::PartChanges& changes);

 private:
  struct Actor {
    collision::PartHandle part = 0;
    std::uint32_t object = 0;
    std::uint16_t role = 0;
    collision::Subunits width = 0, height = 0;
    collision::Point position, velocity;
    std::uint32_t leader = 0;  ///< kFollows: its index.
    collision::Point offset;   ///< kFollows: from the leader. kJitters: the first place.
  };

  std::uint16_t remember(const Role& role);
  Actor make_actor(std::uint16_t role, collision::PartHandle part);
  collision::Point draw_velocity(const Speeds& speeds);
  collision::Point draw_position(const collision::Box& range);
  void move(Actor& actor);
  void fly(Actor& actor, const Role& role);
  static void bounce(Actor& actor, const collision::Box& range);
  void remove_some(collision::PartChanges& changes);
  void add_some(collision::PartChanges& changes);
  collision::PartHandle take_handle();
  static collision::Box box_of(const Actor& actor);
  collision::PartChanges::Added added(const Actor& actor) const;

  base::Dice dice_;
  std::vector<Role> roles_;
  std::vector<Actor> actors_;
  std::vector<collision::PartHandle> free_, freed_;
  collision::PartHandle next_part_ = 0;
  std::uint32_t next_object_ = 1;
  std::uint32_t churn_count_ = 0;
  std::uint16_t churn_role_ = 0;
  std::size_t churn_begin_ = 0;  // The actors from here on come and go.
  bool started_ = false;
};

}  // namespace sweepd::scenes
