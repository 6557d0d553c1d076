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

  void add(ObjectId object, ParticipantNumber owner, TemplateNumber number);
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
  std::vector<bool> is_anchor_;  ///< By template.
  collision::SideTable<Row> rows_;
  std::map<Key, Count> counts_;
};

}  // namespace sweepd::match
