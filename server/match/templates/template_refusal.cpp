// SPDX-License-Identifier: MIT
#include "match/templates/template_refusal.h"

namespace sweepd::match {
namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

/// "; at most 5 are allowed".
std::string at_most(const Refusal& refusal, const char* unit) {
  return "; at most " + text(refusal.limit) + unit + " are allowed";
}

std::string found_text(const Refusal& refusal) {
  return refusal.found == Refusal::kWithoutEnd ? "without end" : text(refusal.found);
}

struct Rule {
  const char* field;  ///< Of the template.
  std::string words;
};

Rule rule_of_spawn(const Refusal& refusal) {
  switch (refusal.rule) {
    case TemplateRule::kRoles:
      return {"roles", "is for other roles than the participant's"};
    case TemplateRule::kOwnTraits:
      return {"shapes", "gives parts, hit points, damage and flags; the spawn may not have any of its own"};
    case TemplateRule::kTimeToLive:
      return {"time_to_live_max_ticks",
              "has a time to live of " + text(refusal.found) + " ticks" + at_most(refusal, "")};
    case TemplateRule::kAliveMax:
      return {"spawn.alive_max",
              "exists " + text(refusal.found) + " times already for the participant" + at_most(refusal, "")};
    case TemplateRule::kTotalMax:
      return {"spawn.total_max", "has been spawned " + text(refusal.found) +
                                     " times in this match by the participant" + at_most(refusal, "")};
    case TemplateRule::kRespawnDelay:
      return {"spawn.respawn_delay_ticks", "comes " + text(refusal.found) +
                                               " ticks after the last one was gone; " + text(refusal.limit) +
                                               " are required"};
    case TemplateRule::kSpawnInterval:
      return {"spawn.interval_ticks", "may be spawned again in tick " + text(refusal.found) + ", one in " +
                                          text(refusal.limit) + " ticks"};
    case TemplateRule::kRegion:
      return {"spawn.region", "would be spawned outside of its region"};
    case TemplateRule::kVelocity:
      return {"spawn.velocity", "would be spawned with a velocity that it may not have"};
    case TemplateRule::kNear:
      if (refusal.found == Refusal::kWithoutEnd)
        return {"spawn.near", "has to be spawned near to an object that the participant does not have"};
      return {"spawn.distance_max", "would be spawned at a distance of " + text(refusal.found) + " subunits" +
                                        at_most(refusal, "")};
    default:
      return {"spawn", kUndescribed};
  }
}

Rule rule_of(const Refusal& refusal) {
  switch (refusal.rule) {
    case TemplateRule::kShapes:
      return {"shapes", "would have parts that are none of its " + text(refusal.limit) + " shapes"};
    case TemplateRule::kSpeed:
      return {"speed_max", "would go " + found_text(refusal) + " subunits in a tick" + at_most(refusal, "") +
                               " to it now"};
    case TemplateRule::kAcceleration:
      return {"acceleration_max",
              "would be accelerated by " + text(refusal.found) + " subunits a tick" + at_most(refusal, "")};
    case TemplateRule::kTeleport:
      return {"may_teleport", "may not be teleported"};
    case TemplateRule::kDisable:
      return {"disable_max_ticks", "may not be disabled by its owner"};
    case TemplateRule::kDisableTicks:
      return {"disable_max_ticks",
              "would be disabled for " + found_text(refusal) + " ticks" + at_most(refusal, "")};
    case TemplateRule::kDisableInterval:
      return {"disable_interval_ticks", "may be disabled again in tick " + text(refusal.found) +
                                            ", once in " + text(refusal.limit) + " ticks"};
    case TemplateRule::kDisableWithin:
      return {"disable_within_ticks", "may be disabled by its owner in its first " + text(refusal.limit) +
                                          " ticks only, not until " + text(refusal.found) + " have passed"};
    case TemplateRule::kBallistic:
      return {"is_ballistic", "flies as it was spawned"};
    case TemplateRule::kFreeze:
      return {"may_freeze", "may not be frozen"};
    case TemplateRule::kTransfer:
      return {"transfer_roles", "may not go to a participant of that role"};
    default:
      return rule_of_spawn(refusal);
  }
}

bool is_of_one(const Refusal& refusal, std::span<const ObjectTemplate> templates) {
  return refusal.rule != TemplateRule::kRequired && refusal.rule != TemplateRule::kUnknown &&
         refusal.place < templates.size();
}

std::string path_of(const Refusal& refusal) {
  if (refusal.rule == TemplateRule::kRequired || refusal.rule == TemplateRule::kUnknown) return "templates";
  return "templates[" + text(refusal.place) + "]." + rule_of(refusal).field;
}

}  // namespace

BrokenRule broken_rule_of_template(const Refusal& refusal, std::span<const ObjectTemplate> templates) {
  return {.rule = path_of(refusal),
          .template_name = is_of_one(refusal, templates) ? templates[refusal.place].name : "",
          .found = refusal.found,
          .limit = refusal.limit};
}

BrokenRule broken_rule_of(const TemplateRuleName& name, const FoundAndLimit& last,
                          std::span<const ObjectTemplate> templates) {
  return broken_rule_of_template(
      {.rule = name.rule, .found = last.found, .limit = last.limit, .place = name.place}, templates);
}

std::string describe_template(const Refusal& refusal, std::span<const ObjectTemplate> templates) {
  if (refusal.rule == TemplateRule::kRequired)
    return "the participant's role spawns by templates only; the spawn names none (templates)";
  if (!is_of_one(refusal, templates)) {
    if (templates.empty())
      return "template_number is " + text(refusal.found) + "; the match has no templates";
    return "template_number is " + text(refusal.found) + "; the match has templates 1 to " +
           text(templates.size());
  }
  return "a \"" + templates[refusal.place].name + "\" " + rule_of(refusal).words + " (" + path_of(refusal) +
         ")";
}

}  // namespace sweepd::match
