// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/world.h"
#include "match/config.h"
#include "match/participant.h"
#include "match/slot_table.h"
#include "match/tick_pace.h"

namespace sweepd::match {

/// A template by its place in the config, from 1 on.
using TemplateNumber = std::uint32_t;
inline constexpr TemplateNumber kNoTemplate = 0;

/// Which objects are of which template, and what its rules count of each participant. Told of what goes, and
/// of what changes hands.
class TemplateObjects {
 public:
  TemplateObjects(const MatchConfig& config, const collision::World& world);

  /// A new object, or one that is restored.
  struct Place {
    ObjectId object = 0;
    ObjectSlot slot = collision::kNoSlot;
    ParticipantNumber owner = 0;
  };

  bool has_any() const { return !is_anchor_.empty(); }  ///< Templates.
  TemplateNumber template_of(ObjectId object) const {
    if (numbers_.empty()) return kNoTemplate;
    const auto holding = world_.holding_of(object);
    return holding ? template_at(holding->slot) : kNoTemplate;
  }
  TemplateNumber template_at(ObjectSlot slot) const {
    return slot < numbers_.size() ? numbers_[slot] : kNoTemplate;
  }

  /// Whether any template says what it may hit by claims; which are those of which it is asked.
  bool has_any_for_claims() const { return has_any_for_claims_; }
  bool does_bound_claims(TemplateNumber number) const {
    return number != kNoTemplate && number <= bounds_claims_.size() && bounds_claims_[number - 1];
  }
  /// The template of the object there, if that is one of them.
  TemplateNumber bounding_claims(ObjectSlot slot) const {
    const TemplateNumber number = template_at(slot);
    return does_bound_claims(number) ? number : kNoTemplate;
  }

  /// `tick`: in which it is spawned.
  void add(const Place& place, TemplateNumber number, Tick tick);
  /// Of an object that has a template. Kept where a rule asks for it.
  Tick spawned_in(ObjectId object) const { return spawned_[world_.slot_of(object)]; }
  /// `tick`: in which it goes.
  void remove(const collision::RemovedObject& removed, Tick tick);
  void transfer(ObjectId object, ParticipantNumber from, ParticipantNumber to);

  /// What is counted of one participant and one template.
  struct Count {
    std::uint32_t alive = 0;
    Tick last_gone = 0;             ///< The last tick in which one was removed; 0: none was.
    Tick may_disable_from = 0;      ///< The first tick in which one may be disabled again.
    TickPace pace;                  ///< Of its spawns.
    std::uint32_t total = 0;        ///< Of its spawns in all, where a rule asks for it.
    std::vector<ObjectId> anchors;  ///< Ascending; of a template that others are spawned near to.
  };
  const Count& count_of(ParticipantNumber owner, TemplateNumber number) const;
  void note_spawn(ParticipantNumber owner, TemplateNumber number, std::uint32_t interval);

  /// Where the template has a total_max.
  void count_spawn(ParticipantNumber owner, TemplateNumber number) { ++counted(owner, number).total; }

  void note_disable(ParticipantNumber owner, TemplateNumber number, Tick may_disable_from) {
    counted(owner, number).may_disable_from = may_disable_from;
  }

  /// Only between two ticks.
  void save(base::ByteWriter& writer) const;
  /// The world: restored.
  void restore(base::ByteReader& reader);

 private:
  /// By template; nothing: never counted.
  using Counts = std::vector<std::optional<Count>>;

  Count& counted(ParticipantNumber owner, TemplateNumber number);
  void count_in(ObjectId object, ParticipantNumber owner, TemplateNumber number);
  Count& count_out(ObjectId object, ParticipantNumber owner, TemplateNumber number);
  void save_count(base::ByteWriter& writer, const Count& count) const;
  void restore_counts(base::ByteReader& reader);
  void restore_count(base::ByteReader& reader, Count& count) const;
  Tick next_tick() const { return world_.tick() + 1; }

  const collision::World& world_;
  std::vector<bool> is_anchor_;      ///< By template.
  std::vector<bool> bounds_claims_;  ///< By template: it says what it may hit by them.
  bool has_any_for_claims_ = false;
  bool has_rules_by_age_ = false;
  bool has_totals_ = false;
  std::vector<std::uint8_t> numbers_;                            ///< By slot, as long as any slot needed.
  std::vector<Tick> spawned_;                                    ///< The same, where there are rules by age.
  std::array<Counts, kParticipantsMax + kObserversMax> counts_;  ///< By participant; of those that have any.
};

}  // namespace sweepd::match
