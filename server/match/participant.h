// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "collision/event.h"
#include "match/claims/claim.h"
#include "match/config.h"
#include "match/frame.h"
#include "match/rejection_counts.h"
#include "match/templates/template_refusals.h"

namespace sweepd::match {

/// Identity in a match; frames of one tick apply in the order of these.
using ParticipantNumber = std::uint32_t;

inline collision::EventOwners event_owners(ParticipantNumber a, ParticipantNumber b) {
  static_assert(kParticipantsMax <= 256, "who has objects has a number of one byte");
  return {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
}

struct Participant {
  ParticipantNumber number = 0;
  std::string name;
  Role role = Role::kPlayer;
  ObjectId first_id = 0;  ///< Its block of object ids; 0 for an observer.
  ObjectId last_id = 0;   ///< Inclusive.
  std::uint32_t objects = 0;
  std::uint64_t rejections = 0;
  std::uint64_t late_frames = 0;     ///< Applied or not.
  Tick late_ticks_max = 0;           ///< How late the latest of them came.
  std::uint64_t bunched_frames = 0;  ///< Applied in a tick in which one of another tick had applied already.
  Tick acknowledged_tick = 0;
  ClaimCounts claims = {};          ///< In its frames, by Verdict.
  bool acts_as_stage = false;       ///< Its role is the stage's, or the stage was handed over to it.
  std::uint64_t frames_missed = 0;  ///< LOCKSTEP: ticks that ran without its frame.

  RejectionCounts rejections_by_reason = {};  ///< `rejections`, rule by rule.
  void count_rejection(RejectionReason reason) {
    ++rejections;
    rejections_by_reason.add(reason);
  }

  bool has_in_block(ObjectId object) const { return object >= first_id && object <= last_id; }

  /// In one of these roles, or acting as the stage for one of them.
  bool is_any_of(RoleSet roles) const {
    return roles.contains(role) || (acts_as_stage && roles.contains(Role::kStage));
  }
  bool is_away = false;                     ///< Its connection broke; its seat is kept for it.
  TemplateRefusals template_refusals = {};  ///< Of `rejections`, those by a template's rule.
};

}  // namespace sweepd::match
