// SPDX-License-Identifier: MIT
#include "match/limit_refusal.h"

#include "match/rights.h"

namespace sweepd::match {
namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

std::string rule_of_layer(const Refusal& refusal, const char* rule) {
  return "layer_limits[" + text(refusal.place) + "]." + rule;
}

std::string describe_speed(const Refusal& refusal) {
  if (refusal.found == Refusal::kWithoutEnd) {
    return "its speed would grow without end; at most " + text(refusal.limit) +
           " subunits a tick are allowed, and acceleration needs a time to live";
  }
  return "it would go " + text(refusal.found) + " subunits in a tick; at most " + text(refusal.limit) +
         " are allowed to it now";
}

std::string describe_place(const Refusal& refusal) {
  if (refusal.found == 0) {
    return "the server does not move what has to stay in the playfield, as part " + text(refusal.part) +
           " has";
  }
  return "part " + text(refusal.part) + " would be " + text(refusal.found) +
         " subunits beyond an edge of the playfield; at most " + text(refusal.limit) + " are allowed";
}

std::string describe_parts_count(const Refusal& refusal) {
  return std::string(refusal.is_of_match ? "the match's" : "the participant's") + " objects would have " +
         text(refusal.found) + " parts; at most " + text(refusal.limit) + " are allowed";
}

std::string words_of_limit(const Refusal& refusal) {
  switch (refusal.reason) {
    case RejectionReason::kTooFast:
      return describe_speed(refusal);
    case RejectionReason::kOutsidePlayfield:
      return describe_place(refusal);
    case RejectionReason::kMayNotTeleport:
      return "the participant has not the right to teleport it";
    case RejectionReason::kLayerNotAllowed:
      return "layer " + text(refusal.found) + " is none on which the participant may have parts";
    default:
      return describe_parts_count(refusal);
  }
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

std::string rule_of_limit(const Refusal& refusal) {
  switch (refusal.reason) {
    case RejectionReason::kTooFast:
      return rule_of_layer(refusal, "speed_max");
    case RejectionReason::kOutsidePlayfield:
      return rule_of_layer(refusal, "stay_in_playfield");
    case RejectionReason::kMayNotTeleport:
      return path_of_limit(refusal.place, "may_teleport");
    case RejectionReason::kLayerNotAllowed:
      return path_of_limit(refusal.place, "spawn_layers");
    default:
      return refusal.is_of_match ? "budgets.parts_max" : path_of_limit(refusal.place, "parts_max");
  }
}

std::string describe_limit(const Refusal& refusal) {
  return words_of_limit(refusal) + " (" + rule_of_limit(refusal) + ")";
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
