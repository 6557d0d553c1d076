// SPDX-License-Identifier: MIT
#include "scenario/log_text.h"

namespace sweepd::scenario {
namespace {

const char* reason_text(collision::ExitReason reason) {
  using collision::ExitReason;
  switch (reason) {
    case ExitReason::kNone:
      return "NONE";
    case ExitReason::kMoved:
      return "MOVED";
    case ExitReason::kDespawned:
      return "DESPAWNED";
    case ExitReason::kExpired:
      return "EXPIRED";
    case ExitReason::kLeftPlayfield:
      return "LEFT_PLAYFIELD";
    case ExitReason::kLayerChanged:
      return "LAYER_CHANGED";
    case ExitReason::kDisabled:
      return "DISABLED";
    case ExitReason::kReshaped:
      return "RESHAPED";
    case ExitReason::kOwnerLeft:
      return "OWNER_LEFT";
    case ExitReason::kMatchEnded:
      return "MATCH_ENDED";
    case ExitReason::kSwept:
      return "SWEPT";
    case ExitReason::kConsumed:
      return "CONSUMED";
    case ExitReason::kDestroyed:
      return "DESTROYED";
  }
  return "?";
}

const char* reason_text(match::RejectionReason reason) {
  using match::RejectionReason;
  switch (reason) {
    case RejectionReason::kMalformed:
      return "MALFORMED";
    case RejectionReason::kTooLate:
      return "TOO_LATE";
    case RejectionReason::kTooFarAhead:
      return "TOO_FAR_AHEAD";
    case RejectionReason::kTooManyFrames:
      return "TOO_MANY_FRAMES";
    case RejectionReason::kNotAllowed:
      return "NOT_ALLOWED";
    case RejectionReason::kIdOutOfBlock:
      return "ID_OUT_OF_BLOCK";
    case RejectionReason::kIdInUse:
      return "ID_IN_USE";
    case RejectionReason::kIdUsedThisTick:
      return "ID_USED_THIS_TICK";
    case RejectionReason::kUnknownObject:
      return "UNKNOWN_OBJECT";
    case RejectionReason::kNotOwner:
      return "NOT_OWNER";
    case RejectionReason::kInvertedBox:
      return "INVERTED_BOX";
    case RejectionReason::kUnknownLayer:
      return "UNKNOWN_LAYER";
    case RejectionReason::kUnknownPart:
      return "UNKNOWN_PART";
    case RejectionReason::kOutOfRange:
      return "OUT_OF_RANGE";
    case RejectionReason::kNoParts:
      return "NO_PARTS";
    case RejectionReason::kTooManyParts:
      return "TOO_MANY_PARTS";
    case RejectionReason::kTooManyObjects:
      return "TOO_MANY_OBJECTS";
    case RejectionReason::kTickInThePast:
      return "TICK_IN_THE_PAST";
    case RejectionReason::kNegativeRadius:
      return "NEGATIVE_RADIUS";
    case RejectionReason::kUnknownMask:
      return "UNKNOWN_MASK";
    case RejectionReason::kTooFast:
      return "TOO_FAST";
    case RejectionReason::kMayNotTeleport:
      return "MAY_NOT_TELEPORT";
    case RejectionReason::kLayerNotAllowed:
      return "LAYER_NOT_ALLOWED";
    case RejectionReason::kTooManyBytes:
      return "TOO_MANY_BYTES";
    case RejectionReason::kOutsidePlayfield:
      return "OUTSIDE_PLAYFIELD";
    case RejectionReason::kTooManyClaims:
      return "TOO_MANY_CLAIMS";
    case RejectionReason::kNotAParticipant:
      return "NOT_A_PARTICIPANT";
    case RejectionReason::kTooManyMassChanges:
      return "TOO_MANY_MASS_CHANGES";
    case RejectionReason::kTemplateNotAllowed:
      return "TEMPLATE_NOT_ALLOWED";
    case RejectionReason::kTooSoon:
      return "TOO_SOON";
    case RejectionReason::kSpawnPlace:
      return "SPAWN_PLACE";
    case RejectionReason::kNotInTemplate:
      return "NOT_IN_TEMPLATE";
    case RejectionReason::kRegionTooLarge:
      return "REGION_TOO_LARGE";
    case RejectionReason::kTooManyMessages:
      return "TOO_MANY_MESSAGES";
    case RejectionReason::kMayNotControl:
      return "MAY_NOT_CONTROL";
  }
  return "?";
}

std::string side_text(collision::ObjectId object, const std::string& layer, int part) {
  return std::to_string(object) + " " + layer + "[" + std::to_string(part) + "]";
}

std::string time_text(collision::TimeOfImpact time) {
  if (time == collision::kEndOfTick) return "";
  return " at " + std::to_string(time) + "/" + std::to_string(collision::kEndOfTick);
}

}  // namespace

std::string event_text(const collision::Event& event, const std::vector<std::string>& layers) {
  const bool is_enter = event.kind == collision::EventKind::kEnter;
  return std::string("#") + std::to_string(event.sequence_number) + " tick " + std::to_string(event.tick) +
         (is_enter ? " ENTER " : " EXIT  ") +
         side_text(event.key.object_a, layers.at(event.key.layer_a), event.parts.part_a) + ", " +
         side_text(event.key.object_b, layers.at(event.key.layer_b), event.parts.part_b) +
         (is_enter ? "" : std::string(" because ") + reason_text(event.reason)) +
         time_text(event.time_of_impact);
}

std::string rejection_text(const match::Rejection& rejection) {
  return std::string("refused ") + reason_text(rejection.reason) + " participant " +
         std::to_string(rejection.participant) + " tick " + std::to_string(rejection.tick) + " (sent for " +
         std::to_string(rejection.frame_tick) + ") object " + std::to_string(rejection.object) + " " +
         (rejection.field.empty() ? "frame" : rejection.field) + ": " + rejection.message;
}

std::string join_error_text(match::JoinError error) {
  using match::JoinError;
  switch (error) {
    case JoinError::kInvalidName:
      return "INVALID_NAME";
    case JoinError::kNameTaken:
      return "NAME_TAKEN";
    case JoinError::kNoSuchSlot:
      return "NO_SUCH_SLOT";
    case JoinError::kSlotTaken:
      return "SLOT_TAKEN";
    case JoinError::kMatchFull:
      return "MATCH_FULL";
    case JoinError::kMatchEnded:
      return "MATCH_ENDED";
  }
  return "?";
}

}  // namespace sweepd::scenario
