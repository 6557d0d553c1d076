// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "collision/shapes/shape.h"
#include "collision/world.h"

namespace sweepd::property {

/// The rules of the world, written down a second time in the plainest way: every tick it compares everything
/// with everything and derives the events from two maps. Shares with the real world its types only.
class ReferenceWorld {
 public:
  explicit ReferenceWorld(const collision::WorldConfig& config) : config_(config) {}

  collision::ChangeResult spawn(const collision::ObjectSpec& spec);
  collision::ChangeResult reshape(collision::ObjectId id, std::span<const collision::Part> parts);
  collision::ChangeResult change_layer(collision::ObjectId id, std::optional<std::uint32_t> part,
                                       std::uint32_t layer);
  collision::ChangeResult move_to(collision::ObjectId id, collision::Point position);
  collision::ChangeResult teleport_to(collision::ObjectId id, collision::Point position);
  collision::ChangeResult freeze(collision::ObjectId id);
  collision::ChangeResult release(collision::ObjectId id);
  collision::ChangeResult set_owner(collision::ObjectId id, collision::OwnerId owner);
  bool scroll_to(collision::Point origin);
  void strike(const collision::EncounterKey& key) { strikes_.push_back(key); }
  collision::ChangeResult set_motion(collision::ObjectId id, const collision::Motion& motion);
  collision::ChangeResult disable_until(collision::ObjectId id, collision::Tick until_tick);
  collision::ChangeResult enable(collision::ObjectId id);
  collision::ChangeResult despawn(collision::ObjectId id, collision::ExitReason reason);

  std::vector<collision::Event> finish_tick();
  std::vector<collision::Event> end();

  struct Object {
    collision::ObjectSpec spec;  ///< Position, parts and motion as they are now.
    collision::Tick expires_at = collision::kForever;
    collision::Tick disabled_until = 0;
    /// Where it was at the end of the last tick, if it was judged then: its way begins there.
    std::optional<collision::Point> before;
    std::optional<collision::Point> start;     ///< Where it was spawned in this tick, if it is continuous.
    std::optional<collision::Point> teleport;  ///< Where it was teleported to in this tick.
    bool is_frozen = false;
    collision::Way step;   ///< What its motion did in this tick, or would have done if it is lost.
    bool is_lost = false;  ///< That step would have led out of the range of coordinates: it did not take it.
    // In the tick in progress:
    bool is_new = false;
    std::set<collision::LayerId> layers_left;
    bool reshaped = false;
    collision::ExitReason removal = collision::ExitReason::kNone;
  };

  const std::map<collision::ObjectId, Object>& objects() const { return objects_; }
  const std::vector<collision::ObjectId>& removed_by_world() const { return removed_by_world_; }
  const std::vector<collision::Destruction>& destructions() const { return destructions_; }
  const std::vector<collision::EncounterKey>& strikes() const { return counted_strikes_; }
  std::vector<collision::Encounter> open_encounters() const;
  std::uint64_t state_hash() const;
  collision::Tick tick() const { return tick_; }

 private:
  struct Contact {
    collision::PartPair parts;
    collision::Tick since_tick = 0;
  };
  using Contacts = std::map<collision::EncounterKey, Contact>;

  collision::ChangeResult check(std::span<const collision::Part> parts, collision::Point position) const;
  Object* find(collision::ObjectId id);
  void remove(collision::ObjectId id, collision::ExitReason reason);
  void remove_by_world(const std::vector<collision::ObjectId>& ids, collision::ExitReason reason);
  void expire();
  void move_all();
  void remove_outside();
  void enable_due();
  Contacts judge() const;
  struct Sweep {
    collision::PartPair parts;
    collision::TimeOfImpact time = collision::kEndOfTick;
  };
  using Sweeps = std::map<collision::EncounterKey, Sweep>;
  // What the outcome of a tick is, in reference_outcome.cpp.
  const collision::ContactRule* rule_of(const collision::EncounterKey& key) const;
  bool is_sensor(const collision::EncounterKey& key) const;
  Object* any_of(collision::ObjectId id);
  void decide_outcome(const Contacts& contacts, Sweeps& entered);
  bool hit(const collision::EncounterKey& key, collision::TimeOfImpact time);
  void damage(const collision::Destruction& blow);
  collision::ExitReason outcome_of(const collision::EncounterKey& key) const;
  void end_by_outcome(Contacts& contacts, const Sweeps& entered, std::vector<collision::Event>& events);
  Sweeps sweep() const;
  void sweep_pair(const Object& a, const Object& b, Sweeps& sweeps) const;
  collision::Point begin_of(const Object& object) const;
  collision::Way way_of(const Object& object) const;
  collision::ExitReason reason_of(const collision::EncounterKey& key) const;
  void append(collision::EventKind kind, collision::ExitReason reason, const collision::EncounterKey& key,
              collision::PartPair parts, std::vector<collision::Event>& events,
              collision::TimeOfImpact time = collision::kEndOfTick);

  collision::WorldConfig config_;
  collision::Tick tick_ = 0;
  std::uint64_t sequence_number_ = 0;
  std::map<collision::ObjectId, Object> objects_;
  std::map<collision::ObjectId, Object> gone_;  // In the tick in progress.
  Contacts contacts_;
  std::vector<collision::ObjectId> removed_by_world_;
  collision::Point origin_;
  std::vector<collision::EncounterKey> strikes_;
  std::vector<collision::EncounterKey> counted_strikes_;
  std::map<collision::ObjectId, collision::TimeOfImpact> used_;
  std::vector<collision::Destruction> destructions_;
};

}  // namespace sweepd::property
