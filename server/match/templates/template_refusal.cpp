// SPDX-License-Identifier: MIT
#include "match/templates/template_refusal.h"

#include <algorithm>

namespace sweepd::match {
namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

/// "; at most 5 are allowed".
std::string at_most(const Refusal& refusal, const char* unit) {
  return "; at most " + text(refusal.limit) + unit + " are allowed";
}

std::string text_of_speed(const Refusal& refusal) {
  if (refusal.found == Refusal::kWithoutEnd)
    return "would gain speed without end" + at_most(refusal, " subunits a tick");
  return "would go " + text(refusal.found) + " subunits in a tick" + at_most(refusal, "") + " to it now";
}

std::string text_of_disable(const Refusal& refusal) {
  const bool has_end = refusal.found != Refusal::kWithoutEnd;
  return (has_end ? "would be disabled for " + text(refusal.found) + " ticks"
                  : std::string("would be disabled without end")) +
         at_most(refusal, " ticks");
}

std::string text(std::int64_t x, std::int64_t y) {
  return std::string("(").append(std::to_string(x)).append(", ").append(std::to_string(y)).append(")");
}

/// What a vector of a refusal should have been in; null: there is none.
const collision::Box* bounds_of(const Refusal& refusal, const ObjectTemplate& kind) {
  if (!refusal.vector) return nullptr;
  const auto& bounds = refusal.rule == TemplateRule::kRegion ? kind.spawn.region : kind.spawn.velocity;
  return bounds ? &*bounds : nullptr;
}

/// By how much it is beyond the farther of its two bounds.
std::uint64_t excess_of(const Refusal::Vector& found, const collision::Box& bounds) {
  return static_cast<std::uint64_t>(std::max(
      {bounds.min_x - found.x, found.x - bounds.max_x, bounds.min_y - found.y, found.y - bounds.max_y}));
}

/// " at (12, 5); (0, 0) to (10, 10) are allowed".
std::string text_of_vector(const Refusal& refusal, const ObjectTemplate& kind, const char* before) {
  const collision::Box* bounds = bounds_of(refusal, kind);
  if (bounds == nullptr) return "";
  return before + text(refusal.vector->x, refusal.vector->y) + ", " +
         text(excess_of(*refusal.vector, *bounds)) + " beyond what is allowed, " +
         text(bounds->min_x, bounds->min_y) + " to " + text(bounds->max_x, bounds->max_y) + ", in subunits";
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
      return {"shapes", "has its parts, hit points, damage and flags; the spawn may not give any"};
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
      return {"spawn.velocity", "would be spawned with a velocity"};
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
      return {"speed_max", text_of_speed(refusal)};
    case TemplateRule::kAcceleration:
      return {"acceleration_max",
              "would be accelerated by " + text(refusal.found) + " subunits a tick" + at_most(refusal, "")};
    case TemplateRule::kTeleport:
      return {"may_teleport", "may not be teleported"};
    case TemplateRule::kDisable:
      return {"disable_max_ticks", "may not be disabled by its owner"};
    case TemplateRule::kDisableTicks:
      return {"disable_max_ticks", text_of_disable(refusal)};
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
  BrokenRule broken{
      .rule = path_of(refusal), .template_name = {}, .found = refusal.found, .limit = refusal.limit};
  if (!is_of_one(refusal, templates)) return broken;
  const ObjectTemplate& kind = templates[refusal.place];
  broken.template_name = kind.name;
  if (const collision::Box* bounds = bounds_of(refusal, kind))
    broken.found = excess_of(*refusal.vector, *bounds);
  return broken;
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
  const ObjectTemplate& kind = templates[refusal.place];
  const bool is_place = refusal.rule == TemplateRule::kRegion;
  return "an object of template \"" + kind.name + "\" " + rule_of(refusal).words +
         text_of_vector(refusal, kind, is_place ? ", at " : " of ") + " (" + path_of(refusal) + ")";
}

}  // namespace sweepd::match
