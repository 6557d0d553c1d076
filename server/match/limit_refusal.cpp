// SPDX-License-Identifier: MIT
#include "match/limit_refusal.h"

namespace sweepd::match {
namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

std::string rule_of_layer(const Refusal& refusal, const char* rule) {
  return " (layer_limits[" + text(refusal.place) + "]." + rule + ")";
}

std::string describe_speed(const Refusal& refusal) {
  const std::string rule = rule_of_layer(refusal, "speed_max");
  if (refusal.found == Refusal::kWithoutEnd) {
    return "its speed would grow without end; at most " + text(refusal.limit) +
           " subunits a tick are allowed, and acceleration needs a time to live" + rule;
  }
  return "it would go " + text(refusal.found) + " subunits in a tick; at most " + text(refusal.limit) +
         " are allowed to it now" + rule;
}

std::string describe_place(const Refusal& refusal) {
  if (refusal.found == 0) {
    return "the server does not move what has to stay in the playfield, as part " + text(refusal.part) +
           " has" + rule_of_layer(refusal, "stay_in_playfield");
  }
  return "part " + text(refusal.part) + " would be " + text(refusal.found) +
         " subunits beyond an edge of the playfield; at most " + text(refusal.limit) + " are allowed" +
         rule_of_layer(refusal, "stay_in_playfield");
}

}  // namespace

bool is_of_a_limit(const Refusal& refusal) {
  switch (refusal.reason) {
    case RejectionReason::kTooFast:
    case RejectionReason::kMayNotTeleport:
    case RejectionReason::kLayerNotAllowed:
    case RejectionReason::kOutsidePlayfield:
      return true;
    case RejectionReason::kTooManyParts:
      return refusal.is_of_all_objects || refusal.is_of_match;
    default:
      return false;
  }
}

std::string describe_limit(const Refusal& refusal) {
  switch (refusal.reason) {
    case RejectionReason::kTooFast:
      return describe_speed(refusal);
    case RejectionReason::kOutsidePlayfield:
      return describe_place(refusal);
    case RejectionReason::kMayNotTeleport:
      return "the participant has not the right to teleport it (limits.may_teleport)";
    case RejectionReason::kLayerNotAllowed:
      return "layer " + text(refusal.found) +
             " is none on which the participant may have parts (limits.spawn_layers)";
    default:
      if (refusal.is_of_match) {
        return "the match's objects would have " + text(refusal.found) + " parts; at most " +
               text(refusal.limit) + " are allowed (budgets.parts_max)";
      }
      return "the participant's objects would have " + text(refusal.found) + " parts; at most " +
             text(refusal.limit) + " are allowed (limits.parts_max)";
  }
}

RefusalText describe_parts_limit(const Refusal& refusal, const std::string& change) {
  const std::string part = change + ".parts[" + text(refusal.part) + "]";
  switch (refusal.reason) {
    case RejectionReason::kTooFast:
      return {change, describe_limit(refusal)};
    case RejectionReason::kLayerNotAllowed:
      return {part + ".layer", describe_limit(refusal)};
    case RejectionReason::kOutsidePlayfield:
      return {part, describe_limit(refusal)};
    default:
      return {change + ".parts", describe_limit(refusal)};
  }
}

}  // namespace sweepd::match
