// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/event.h"
#include "collision/layers.h"
#include "collision/world.h"
#include "match/config.h"
#include "match/object_owners.h"
#include "match/scoreboard.h"

namespace sweepd::match {

/// Turns the log of a tick into points, by the config's rules.
class Scoring {
 public:
  /// `is_strict`: what has scored for the holder of a slot may not score again when the holder comes back,
  /// and nothing is remembered of what a participant did that has left. Digest versions before 3 forget the
  /// one, and remember the other for the next holder of the number.
  Scoring(const MatchConfig& config, bool is_strict);

  /// A tick has run; `owners` still knows whose the objects were that it removed. Strikes that counted score
  /// like an ENTER, and where claims hit, contact does not.
  void score(const collision::World& world, std::span<const collision::Event> events,
             const ObjectOwners& owners, Scoreboard& scoreboard);

  /// The participant has left: what it did does not count for a later participant of its number.
  void forget(ParticipantNumber number);

  void save(base::ByteWriter& writer) const;
  /// `world`: restored.
  void restore(base::ByteReader& reader, const collision::World& world);

 private:
  struct Rule {
    collision::LayerId layer_a = 0;
    collision::LayerId layer_b = 0;
    ScoringMoment when = ScoringMoment::kEnter;
    std::int32_t points = 0;
    bool credits_a = true;
    Tick cooldown_ticks = 0;         ///< kForever: once per object.
    std::uint32_t exit_reasons = 0;  ///< Bit i: reason i.
  };
  struct Sides {
    ObjectId a = 0;
    ObjectId b = 0;
  };
  /// What may not score again at once: an object, by a rule, for a participant.
  using Counted = std::tuple<ObjectId, std::uint32_t, ParticipantNumber>;
  struct Context {
    Tick tick;
    const ObjectOwners& owners;
    Scoreboard& scoreboard;
  };

  bool has(ScoringMoment moment) const;
  void score_pair(const Context& context, ScoringMoment moment, const collision::EncounterKey& key,
                  std::uint32_t reasons);
  void score_destruction(const Context& context, const collision::Destruction& destruction);
  void apply(const Context& context, std::uint32_t rule, Sides sides);
  void forget_removed(const ObjectOwners& owners);

  bool is_strict_;
  std::size_t slots_;
  collision::CollisionMatrix by_claims_;
  std::vector<Rule> rules_;
  std::map<Counted, Tick> counted_;  ///< When it last scored.
};

}  // namespace sweepd::match
