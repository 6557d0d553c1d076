// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/side_table.h"
#include "collision/world.h"
#include "match/config.h"
#include "match/participant.h"
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

  bool has_any() const { return !is_anchor_.empty(); }  ///< Templates.
  TemplateNumber template_of(ObjectId object) const {
    const Row* row = rows_.find(object);
    return row == nullptr ? kNoTemplate : row->number;
  }

  /// Whether any template says what it may hit by claims; which are those of which it is asked.
  bool has_any_for_claims() const { return has_any_for_claims_; }
  bool does_bound_claims(TemplateNumber number) const {
    return number != kNoTemplate && number <= bounds_claims_.size() && bounds_claims_[number - 1];
  }
  /// The object's template, if that is one of them.
  TemplateNumber bounding_claims(ObjectId object) const {
    const TemplateNumber number = template_of(object);
    return does_bound_claims(number) ? number : kNoTemplate;
  }

  /// `tick`: in which it is spawned.
  void add(ObjectId object, ParticipantNumber owner, TemplateNumber number, Tick tick);
  /// Of an object that has a template.
  Tick spawned_in(ObjectId object) const { return rows_.find(object)->spawned; }
  /// `tick`: in which it goes.
  void remove(ObjectId object, ParticipantNumber owner, Tick tick);
  void transfer(ObjectId object, ParticipantNumber from, ParticipantNumber to);

  /// What is counted of one participant and one template.
  struct Count {
    std::uint32_t alive = 0;
    Tick last_gone = 0;             ///< The last tick in which one was removed; 0: none was.
    Tick may_disable_from = 0;      ///< The first tick in which one may be disabled again.
    TickPace pace;                  ///< Of its spawns.
    std::vector<ObjectId> anchors;  ///< Ascending; of a template that others are spawned near to.
  };
  const Count& count_of(ParticipantNumber owner, TemplateNumber number) const;
  void note_spawn(ParticipantNumber owner, TemplateNumber number, std::uint32_t interval);

  void note_disable(ParticipantNumber owner, TemplateNumber number, Tick may_disable_from) {
    counts_[{owner, number}].may_disable_from = may_disable_from;
  }

  /// Only between two ticks.
  void save(base::ByteWriter& writer) const;
  /// The world: restored.
  void restore(base::ByteReader& reader);

 private:
  struct Row {
    TemplateNumber number = kNoTemplate;
    Tick spawned = 0;  ///< After a restart 0, where no rule asks for it.
  };
  struct Key {
    ParticipantNumber owner = 0;
    TemplateNumber number = kNoTemplate;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  void count_in(ObjectId object, const Key& key);
  void count_out(ObjectId object, const Key& key);
  Tick next_tick() const { return world_.tick() + 1; }

  const collision::World& world_;
  std::vector<bool> is_anchor_;      ///< By template.
  std::vector<bool> bounds_claims_;  ///< By template: it says what it may hit by them.
  bool has_any_for_claims_ = false;
  bool has_rules_by_age_ = false;
  collision::SideTable<Row> rows_;
  std::map<Key, Count> counts_;
};

}  // namespace sweepd::match
