// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "collision/id_index.h"
#include "collision/object.h"
#include "match/history/part_store.h"
#include "match/history/tick_column.h"

namespace sweepd::match {

using collision::ObjectId;
using collision::OwnerId;
using collision::Tick;

/// The lives of all objects that are, or were not long ago, and what seldom changes about each: its parts,
/// its owner, whether it is disabled. An id may have had several lives, one after the other.
class LifeTable {
 public:
  static constexpr LifeIndex kNone = ~LifeIndex{0};

  struct Life {
    Tick born = 0;                    ///< The first tick at whose end it was there.
    Tick died = collision::kForever;  ///< The first tick after `born` at whose end it was not.
    Tick teleported = 0;              ///< The last time; 0: never.
    ObjectId id = 0;                  ///< 0: not in use.
    bool is_single_use = false;
    bool is_used_up = false;     ///< It died of contact.
    LifeIndex previous = kNone;  ///< Of the same id, as long as it is kept.
    std::uint32_t first_version = 0;
    std::uint32_t last_version = 0;

    bool is_at(Tick tick) const { return born <= tick && tick < died; }
  };

  /// What holds from a tick's end on.
  struct State {
    OwnerId owner = 0;
    bool is_disabled = false;
    std::span<const collision::Part> parts;  ///< Until the next change to the table.
  };

  LifeIndex begin(ObjectId id, Tick tick, const State& state, bool is_single_use);
  /// Notes a state that may have changed.
  void alter(LifeIndex life, Tick tick, const State& state);
  void teleport(LifeIndex life, Tick tick) { lives_[life].teleported = tick; }
  void end(LifeIndex life, Tick tick);
  void use_up(LifeIndex life) { lives_[life].is_used_up = true; }
  /// Lives were begun, altered and ended in whatever order, as they are when a table is restored: those of
  /// one id in theirs, and ends by tick.
  void sort_alterations() { std::ranges::stable_sort(alterations_, {}, &Alteration::tick); }

  /// What held of a life, and since when; of the first it is not known, if that is long ago.
  struct Dated {
    Tick since = 0;
    State state = {};
  };
  std::vector<Dated> versions_of(LifeIndex life) const;

  /// Nobody will ask for a tick before `oldest` any more.
  void forget_before(Tick oldest);

  /// The life that has, or was the last to have, the id.
  LifeIndex find_last(ObjectId id) const { return last_lives_.find(id); }
  /// The one that its id had before, if it is kept.
  LifeIndex previous(LifeIndex life) const;
  /// The one that the id had at the end of `tick`.
  LifeIndex find(ObjectId id, Tick tick) const;
  const Life& operator[](LifeIndex life) const { return lives_[life]; }
  State state_at(LifeIndex life, Tick tick) const;

  /// Above all lives; some below are not in use.
  std::size_t size() const { return lives_.size(); }
  std::size_t bytes() const;

 private:
  struct Version {
    Tick since = 0;
    OwnerId owner = 0;
    PartStore::List parts;  ///< Versions that follow each other may share a list.
    bool is_disabled = false;
    std::uint32_t next = kNone;
  };
  struct Alteration {
    Tick tick;
    LifeIndex life;
  };

  State state_of(const Version& version) const;
  std::uint32_t add_version(const Version& version);
  void remove_versions_before(Life& life, Tick tick);
  void remove_first_version(Life& life);
  void remove(LifeIndex life);

  std::vector<Life> lives_;
  std::vector<LifeIndex> free_lives_;
  std::vector<Version> versions_;
  std::vector<std::uint32_t> free_versions_;
  PartStore parts_;
  collision::IdIndex last_lives_;
  std::deque<Alteration> alterations_;  // By tick: what came before each can be forgotten when it is old.
  std::deque<LifeIndex> dead_;          // By tick of death.
};

}  // namespace sweepd::match
