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
    LifeIndex previous = kNone;       ///< Of the same id, as long as it is kept.
    OwnerId owner = 0;                ///< Now, or last.
    PartStore::List parts = 0;        ///< Now, or last.
    std::uint32_t last_past = kNone;  ///< How it was before; see Past.
    bool is_disabled = false;         ///< Now, or last.
    bool is_single_use = false;
    bool is_used_up = false;  ///< It died of contact.

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
  /// How a life was before it was altered. Those of one life are a ring: after the last comes the first.
  /// Most lives have none.
  struct Past {
    Tick until = 0;  ///< The first tick at whose end it was otherwise.
    OwnerId owner = 0;
    PartStore::List parts = 0;
    std::uint32_t next = kNone;
    bool is_disabled = false;
  };
  struct Alteration {
    Tick tick;
    LifeIndex life;
  };

  template <typename Row>
  State state_of(const Row& row) const {
    return {.owner = row.owner, .is_disabled = row.is_disabled, .parts = parts_.parts(row.parts)};
  }
  void add_past(Life& life, const Past& past);
  void remove_first_past(Life& life);
  void remove(LifeIndex life);

  std::vector<Life> lives_;
  std::vector<LifeIndex> free_lives_;
  std::vector<Past> pasts_;
  std::vector<std::uint32_t> free_pasts_;
  PartStore parts_;
  collision::IdIndex last_lives_;
  std::deque<Alteration> alterations_;  // By tick: what came before each can be forgotten when it is old.
  std::deque<LifeIndex> dead_;          // By tick of death.
};

}  // namespace sweepd::match
