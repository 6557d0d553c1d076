// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sweepd/status.h"
#include "sweepd/types.h"
#include "sweepd/v1/world_feed.pb.h"
#include "sweepd/world.h"

namespace sweepd::internal {

/// In subunits.
struct Spot {
  std::int32_t x = 0;
  std::int32_t y = 0;
  friend bool operator==(const Spot&, const Spot&) = default;
};

/// By which the server moves an object on, after a tick: subunits per tick, and per tick and tick.
struct Course {
  Spot velocity = {};
  Spot acceleration = {};
  bool is_still() const { return *this == Course{}; }
  friend bool operator==(const Course&, const Course&) = default;
};

/// Where the server has what was at `from` and goes on by `course`, so many ticks later. Held at the end of
/// the range.
Spot moved_on(Spot from, const Course& course, Tick ticks);
Course sped_up(const Course& course, Tick ticks);

/// An object as the feed has told it.
struct MirrorObject {
  WorldObject object = {};
  Tick since = 0;  ///< It was at `spot` after that tick; since then it has gone on by its course alone.
  Spot spot = {};
  Course course = {};

  Spot at(Tick tick) const { return moved_on(spot, course, tick > since ? tick - since : 0); }
};

/// Is told what a mirror does, before it does it.
class MirrorWatch {
 public:
  virtual void forgets_all() = 0;
  virtual void appears(const MirrorObject& object) = 0;
  virtual void departs(const MirrorObject& object, DepartureReason reason) = 0;
  virtual void moves(const MirrorObject& object, Spot to, bool is_teleport, Tick tick) = 0;
  virtual void steers(const MirrorObject& object) = 0;

 protected:
  ~MirrorWatch() = default;
};

/// Of a WorldTick that comes after one of the tick `before`.
inline Tick tick_of(const v1::WorldTick& told, Tick before) {
  return told.tick() != 0 || told.is_snapshot() ? told.tick() : before + 1;
}

/// The world in view, as WorldTicks tell it: after each it is exact.
class WorldMirror {
 public:
  /// What cannot follow the ticks before is an error; the mirror is then of no use until a snapshot.
  Status apply(const v1::WorldTick& tick, MirrorWatch* watch = nullptr);

  Tick tick() const { return tick_; }
  const MirrorObject* find(ObjectId id) const {
    const auto found = objects_.find(id);
    return found == objects_.end() ? nullptr : &found->second;
  }
  const std::map<ObjectId, MirrorObject>& objects() const { return objects_; }
  const std::vector<WorldParticipant>& participants() const { return participants_; }
  /// How many objects are in view that have not appeared.
  std::uint32_t waiting() const { return waiting_; }
  /// Nothing is late, and none waits.
  bool is_exact() const { return waiting_ == 0 && late_ == 0; }
  Spot playfield() const { return playfield_; }

 private:
  struct Kind {
    ParticipantNumber owner = 0;
    std::uint32_t template_number = 0;
    std::shared_ptr<const std::vector<Part>> parts;
  };
  class Applier;

  Tick tick_ = 0;
  std::map<ObjectId, MirrorObject> objects_;
  std::map<std::uint32_t, Kind> kinds_;
  std::vector<WorldParticipant> participants_;
  Spot playfield_ = {};
  std::uint32_t waiting_ = 0;
  std::size_t late_ = 0;  ///< How many are.
};

}  // namespace sweepd::internal
