// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "base/hash_secret.h"
#include "collision/object.h"
#include "collision/side_table.h"
#include "match/config.h"
#include "match/history/part_store.h"
#include "match/history/tick_column.h"

namespace sweepd::match {

using collision::ObjectId;
using collision::OwnerId;
using collision::Tick;

/// A tick in five bytes: enough for 145 years of 240 a second.
class ShortTick {
 public:
  constexpr ShortTick(Tick tick = 0)  // NOLINT(google-explicit-constructor): it is one, only smaller.
      : bytes_{static_cast<std::uint8_t>(tick), static_cast<std::uint8_t>(tick >> 8),
               static_cast<std::uint8_t>(tick >> 16), static_cast<std::uint8_t>(tick >> 24),
               static_cast<std::uint8_t>(tick >> 32)} {}
  constexpr operator Tick() const {  // NOLINT(google-explicit-constructor)
    const Tick tick = Tick{bytes_[0]} | Tick{bytes_[1]} << 8 | Tick{bytes_[2]} << 16 | Tick{bytes_[3]} << 24 |
                      Tick{bytes_[4]} << 32;
    return tick == kForeverHere ? collision::kForever : tick;
  }

 private:
  static constexpr Tick kForeverHere = (Tick{1} << 40) - 1;
  static_assert(collision::kTickMax < kForeverHere);
  std::array<std::uint8_t, 5> bytes_;
};

/// The lives of all objects that are, or were not long ago, and what seldom changes about each: its parts,
/// its owner, whether it is disabled. An id may have had several lives, one after the other.
class LifetimeTable {
 public:
  static constexpr LifetimeIndex kNone = ~LifetimeIndex{0};

  /// Lives are many: this is small, and what few have is kept apart.
  struct Lifetime {
    ObjectId id = 0;                       ///< 0: not in use.
    LifetimeIndex next = kNone;            ///< In its ring; see `newest_`.
    PartStore::List parts = 0;             ///< Now, or last.
    ShortTick born = 0;                    ///< The first tick at whose end it was there.
    ShortTick died = collision::kForever;  ///< The first tick after `born` at whose end it was not.
    std::uint8_t owner = 0;                ///< Now, or last. A participant.
    bool is_disabled : 1 = false;          ///< Now, or last.
    bool is_single_use : 1 = false;
    bool is_used_up : 1 = false;   ///< It died of contact.
    bool has_changes : 1 = false;  ///< Was teleported or altered; see Changes.

    bool is_at(Tick tick) const { return born <= tick && tick < died; }
  };
  static_assert(sizeof(Lifetime) <= 24 && kParticipantsMax <= 256);

  /// What holds from a tick's end on.
  struct State {
    OwnerId owner = 0;
    bool is_disabled = false;
    std::span<const collision::Part> parts;  ///< Until the next change to the table.
  };

  LifetimeIndex begin(ObjectId id, Tick tick, const State& state, bool is_single_use);
  /// Of a life that has just begun: its template, where anything is asked about that.
  void set_template(LifetimeIndex life, std::uint32_t number) { templates_.add(life, number); }
  /// Notes a state that may have changed.
  void alter(LifetimeIndex life, Tick tick, const State& state);
  void teleport(LifetimeIndex life, Tick tick) { changes_of(life).teleported = tick; }
  void end(LifetimeIndex life, Tick tick);
  void use_up(LifetimeIndex life) { lives_[life].is_used_up = true; }
  /// Lives were begun, altered and ended in whatever order, as they are when a table is restored: those of
  /// one id in theirs, and ends by tick.
  void sort_alterations() { std::ranges::stable_sort(alterations_, {}, &Alteration::tick); }

  /// What held of a life, and since when; of the first it is not known, if that is long ago.
  struct Dated {
    Tick since = 0;
    State state = {};
  };
  std::vector<Dated> versions_of(LifetimeIndex life) const;

  /// Ticks before `oldest` are not asked for any more.
  void forget_before(Tick oldest);

  /// The life that has, or was the last to have, the id.
  LifetimeIndex find_last(ObjectId id) const;
  /// The one that the id had at the end of `tick`.
  LifetimeIndex find(ObjectId id, Tick tick) const;
  /// Whether it has one that began in that tick.
  bool has(ObjectId id, Tick born) const;
  const Lifetime& operator[](LifetimeIndex life) const { return lives_[life]; }
  State state_at(LifetimeIndex life, Tick tick) const;
  /// The last time; 0: never.
  Tick teleported(LifetimeIndex life) const;
  /// As it was set; 0: it was not.
  std::uint32_t template_of(LifetimeIndex life) const {
    const std::uint32_t* number = templates_.size() == 0 ? nullptr : templates_.find(life);
    return number == nullptr ? 0 : *number;
  }

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
    LifetimeIndex life;
  };
  struct Changes {
    ShortTick teleported = 0;         ///< The last time; 0: never.
    std::uint32_t last_past = kNone;  ///< How it was before.
  };

  template <typename Row>
  State state_of(const Row& row) const {
    return {.owner = row.owner, .is_disabled = row.is_disabled, .parts = parts_.parts(row.parts)};
  }
  Changes& changes_of(LifetimeIndex life);
  Changes find_changes(LifetimeIndex life) const;
  void add_past(LifetimeIndex life, const Past& past);
  void remove_first_past(LifetimeIndex life);
  void remove(LifetimeIndex life);
  LifetimeIndex& newest_near(ObjectId id) { return newest_[base::mix_secretly(id) & (newest_.size() - 1)]; }
  template <typename Matches>
  LifetimeIndex find_oldest(ObjectId id, const Matches& matches) const;
  void link(LifetimeIndex life);
  void unlink(LifetimeIndex life);
  void grow_newest();

  std::deque<Lifetime> lives_;  // Not one block: that leaves holes in the heap as it grows, in every match.
  std::vector<LifetimeIndex> free_lives_;
  std::vector<Past> pasts_;
  std::vector<std::uint32_t> free_pasts_;
  PartStore parts_;
  // Rings of the lives whose ids have equal hashes, by birth: after the newest, which is here, comes the
  // oldest. So a life that is forgotten is found at once, as those of an id die in the order in which they
  // came.
  std::vector<LifetimeIndex> newest_;              // A power of two, or none.
  collision::SideTable<Changes> changes_;          // By life.
  collision::SideTable<std::uint32_t> templates_;  // By life.
  std::deque<Alteration> alterations_;  // By tick: what came before each can be forgotten when it is old.
  std::deque<LifetimeIndex> dead_;      // By tick of death.
};

}  // namespace sweepd::match
