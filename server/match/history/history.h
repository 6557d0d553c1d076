// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/tick_observer.h"
#include "collision/world.h"
#include "match/history/lifetime_table.h"
#include "match/history/trajectory_log.h"

namespace sweepd::match {

class TemplateObjects;

/// An object as it was at the end of a tick.
struct PastObject {
  ObjectId id = 0;
  OwnerId owner = 0;
  Trajectory trajectory;
  bool is_disabled = false;
  std::span<const collision::Part> parts;  ///< Until the next tick.
};

/// Some of the objects: the first `count` by id of those that come after another.
struct ObjectPage {
  ObjectId after = 0;
  std::size_t count = ~std::size_t{0};

  /// Of ids, leaves the first ones that it has, sorted.
  void cut(std::vector<ObjectId>& ids) const;
};

/// An encounter as it was at the end of a tick: which of the parts overlapped is not kept, the history of the
/// objects tells it.
struct PastEncounter {
  collision::EncounterKey key;
  Tick since_tick = 0;
};

/// What a world was like at the end of each of the last ticks. Watches the world and changes nothing: it is
/// no part of a match's outcome. Forgets by itself what is too old, so that its memory is bounded by what the
/// world does in so many ticks.
class History final : public collision::TickObserver {
 public:
  /// `ticks`: how many before the last are kept, at least 1. `templates`: where claims ask for them
  /// (TemplateObjects::bounds_claims), of the world's objects; it must outlive the history.
  explicit History(std::uint32_t ticks, const TemplateObjects* templates = nullptr)
      : ticks_(ticks), trajectories_(ticks), templates_(templates) {}

  void on_tick(const collision::TickNotes& notes) override;

  /// The first and the last tick that can be asked for; 0, 0 before the first tick.
  Tick oldest() const { return tick_ > ticks_ ? tick_ - ticks_ : std::min<Tick>(tick_, 1); }
  Tick latest() const { return tick_; }
  bool has(Tick tick) const { return tick >= 1 && tick >= oldest() && tick <= latest(); }

  // Of a tick that it has:
  std::optional<PastObject> find(ObjectId id, Tick tick) const;
  /// By id.
  std::vector<PastObject> objects(Tick tick, const ObjectPage& page = {}) const;
  /// The encounters that were open then and have ended since, by key.
  std::vector<PastEncounter> ended_encounters(Tick tick) const;

  /// An object's way through a tick that it lived to the end of: where it began, and how it was when it
  /// ended.
  struct Way {
    const LifetimeTable::Lifetime* life = nullptr;
    PastObject object;
    collision::Point begin;
    Tick teleported = 0;                ///< The last time in its life; 0: never.
    std::uint32_t template_number = 0;  ///< Where it bounds claims; else 0.
  };
  /// As continuous objects are swept: the way begins where the object was when the tick before ended, or, if
  /// it was not there to be met then, or was teleported, where its motion took it on from. `tick` and the one
  /// before must be known, or be the first.
  std::optional<Way> find_way(ObjectId id, Tick tick) const;

  /// Whether the life of the object that began in that tick can still be asked for.
  bool knows(ObjectId id, Tick born) const;

  /// The life that the object has now, if it is there.
  const LifetimeTable::Lifetime* find_living(ObjectId id) const;

  void save(base::ByteWriter& writer) const;
  /// Of a new history of as many ticks. `world`: restored, and of so many layers.
  void restore(base::ByteReader& reader, const collision::World& world, std::uint32_t layer_count);

  std::size_t bytes() const;

 private:
  class Writer;
  class Reader;

  /// Small, as a lively match has thousands.
  struct Ended {
    ObjectId object_a;
    ObjectId object_b;
    collision::LayerId layer_a;
    collision::LayerId layer_b;
    ShortTick since_tick;
    ShortTick tick;  ///< The first at whose end it was not open.

    PastEncounter encounter() const { return {{object_a, object_b, layer_a, layer_b}, since_tick}; }
  };
  static_assert(sizeof(Ended) <= 20);

  void note_changes(const collision::ObjectTable& objects);
  void note_removed(const collision::TickNotes& notes);
  void note_ended(std::span<const collision::Encounter> ended);
  void note_ended(const PastEncounter& encounter, Tick tick) {
    const auto& [key, since_tick] = encounter;
    ended_.push_back({key.object_a, key.object_b, key.layer_a, key.layer_b, since_tick, tick});
  }
  void note(const collision::Object& object, const collision::ObjectTable& objects);
  void end_life(LifetimeIndex& life);
  void begin_life(const collision::Object& object, const collision::ObjectTable& objects);
  PastObject past_object(LifetimeIndex life, Tick tick) const;

  std::uint32_t ticks_;
  Tick tick_ = 0;
  LifetimeTable lives_;
  TrajectoryLog trajectories_;
  const TemplateObjects* templates_;  ///< Null: nothing is kept of them.
  std::vector<LifetimeIndex> life_by_slot_;
  std::deque<Ended> ended_;  // By tick.
};

}  // namespace sweepd::match
