// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/world.h"
#include "match/config.h"
#include "match/mass_command.h"
#include "match/participant.h"
#include "match/rejection.h"
#include "match/rights.h"
#include "match/tick_pace.h"

namespace sweepd::match {

/// Judges selections by what the role of their sender may select: on which layers, how large a region and how
/// often.
class SelectionRules {
 public:
  /// Both must outlive it.
  SelectionRules(const MatchConfig& config, const collision::World& world);

  struct Objection {
    RejectionReason reason = {};
    std::string part = {};  ///< Of the selection: ".layers[2]".
    std::string message = {};
    BrokenRule broken_rule = {};
  };
  std::optional<Objection> judge(ParticipantNumber number, const Rights& rights,
                                 const Selection& selection) const;
  /// Counts one that was not objected to.
  void accept(ParticipantNumber number, const Rights& rights);

  bool has_paces() const { return has_paces_; }
  /// Only between two ticks.
  void save(base::ByteWriter& writer) const;
  /// The world: restored.
  void restore(base::ByteReader& reader);

 private:
  std::optional<Objection> judge_pace(ParticipantNumber number, const Rights& rights) const;

  const collision::World& world_;
  bool has_paces_ = false;
  std::map<ParticipantNumber, TickPace> paces_;
};

}  // namespace sweepd::match
