// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "collision/world.h"
#include "match/broken_rule.h"
#include "match/digest.h"
#include "match/object_limits.h"
#include "match/object_owners.h"
#include "match/refusal.h"
#include "match/rejection_log.h"
#include "match/seats.h"
#include "match/selection_rules.h"
#include "match/templates/template_refusal.h"
#include "match/tick_facts.h"

namespace sweepd::match {

/// Whose frame is being applied.
struct Sender {
  Participant& participant;
  Tick frame_tick = 0;  ///< As sent.
  ParticipantNumber number() const { return participant.number; }
};

/// What frames are applied to. Must outlive the appliers.
struct FrameApplierState {
  collision::World& world;
  ObjectOwners& owners;
  Seats& seats;
  Digest& digest;
  RejectionLog& rejections;
  ObjectLimits& limits;
  SelectionRules& selections;
  TickFacts& facts;  ///< Of the tick in progress.

  /// A change is refused: counted for its sender, and listed. `describe` makes field and message, and is
  /// called only where it is listed: text is what costs.
  template <typename Describe>
  void refuse(Sender sender, RejectionReason reason, ObjectId object, const Describe& describe) const {
    sender.participant.count_rejection(reason);
    rejections.add(sender.number(), [&] {
      RefusalText text = describe();
      return Rejection{
          sender.number(),       world.tick() + 1, sender.frame_tick,       reason,
          std::move(text.field), object,           std::move(text.message), std::move(text.broken_rule)};
    });
  }

  /// The same for a verdict on a change, which is counted for the template whose rule it breaks, too.
  template <typename Describe>
  void refuse(Sender sender, const Refusal& refusal, ObjectId object, const RefusalContext& context,
              const Describe& describe) const {
    if (refusal.rule != TemplateRule::kNone)
      sender.participant.template_refusals.add({refusal.place, refusal.rule}, {refusal.found, refusal.limit});
    refuse(sender, refusal.reason, object, [&] {
      RefusalText text = describe(refusal);
      text.broken_rule = broken_rule_of(refusal, context);
      if (refusal.rule != TemplateRule::kNone) text.message = describe_template(refusal, context.templates);
      return text;
    });
  }
};

}  // namespace sweepd::match
