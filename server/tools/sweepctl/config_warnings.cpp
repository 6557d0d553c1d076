// SPDX-License-Identifier: MIT
#include "tools/sweepctl/config_warnings.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace sweepd::tools {
namespace {

bool is_for_players(const ObjectTemplate& kind) {
  return !kind.roles || std::ranges::find(*kind.roles, Role::kPlayer) != kind.roles->end();
}

bool has_part_on(const ObjectTemplate& kind, std::size_t layer) {
  return std::ranges::any_of(kind.shapes, [&](const TemplateShape& shape) {
    return std::ranges::any_of(shape.parts, [&](const Part& part) { return part.layer == layer; });
  });
}

/// As far as a template says that it is one.
bool is_shot(const ObjectTemplate& kind) {
  return kind.is_ballistic || kind.single_use || !kind.spawn.near.empty();
}

bool may_players_spawn_on(const MatchConfig& config, const std::string& layer) {
  const auto limits = std::ranges::find(config.limits, Role::kPlayer, &RoleLimits::role);
  if (limits == config.limits.end() || !limits->spawn_layers) return true;
  return std::ranges::find(*limits->spawn_layers, layer) != limits->spawn_layers->end();
}

bool has_bounded_speed(const MatchConfig& config, const std::string& layer, const ObjectTemplate& kind) {
  if (kind.speed_max) return true;
  const auto limits = std::ranges::find(config.layer_limits, layer, &LayerLimits::layer);
  return limits != config.layer_limits.end() && limits->speed_max;
}

/// What nothing limits about the objects that win a rule's points; empty: all is limited.
std::string gap_of(const MatchConfig& config, const std::string& layer) {
  if (!may_players_spawn_on(config, layer)) return "";
  if (std::ranges::none_of(config.templates, is_for_players))
    return "players spawn on it what they like: no template is for them";
  const auto index =
      static_cast<std::size_t>(std::ranges::find(config.layers, layer) - config.layers.begin());
  for (const ObjectTemplate& kind : config.templates) {
    if (!is_for_players(kind) || !has_part_on(kind, index)) continue;
    if (!kind.spawn.alive_max && kind.spawn.interval_ticks == 0 && kind.spawn.total_max == 0)
      return "players may spawn \"" + kind.name +
             "\" without end: it has no alive_max, no interval_ticks and no total_max";
    if (is_shot(kind) && kind.spawn.interval_ticks == 0)
      return "players may shoot \"" + kind.name + "\" as fast as they like: it has no interval_ticks";
    if (kind.hit_points > 0 && kind.spawn.total_max == 0)
      return "players may have \"" + kind.name +
             "\" back whole as often as they despawn it before its last hit: it has no total_max";
    if (!has_bounded_speed(config, layer, kind))
      return "players move \"" + kind.name + "\" as fast as they like: it has no speed_max";
  }
  return "";
}

/// What claims that hit leave to the claimant.
std::vector<std::string> gaps_of_claims(const MatchConfig& config) {
  std::vector<std::string> gaps;
  if (config.claims.policy != ClaimPolicy::kEnforce) return gaps;
  if (config.claims.window_rise_ticks == 0)
    gaps.push_back(
        "claims hit, and a lag that is switched on and off widens what may be claimed: "
        "claims.window_rise_ticks is 0");
  for (std::size_t i = 0; i < config.collides.size(); ++i) {
    const CollidingLayers& pair = config.collides[i];
    if (!pair.by_claims || pair.claim_tolerance_max) continue;
    gaps.push_back("collides[" + std::to_string(i) + "] \"" + pair.layer_a + "\" and \"" + pair.layer_b +
                   "\" are hit by claims, and their tolerance has no claim_tolerance_max");
  }
  for (const ObjectTemplate& kind : config.templates) {
    if (!is_for_players(kind) || kind.claim_layers) continue;
    gaps.push_back("claims hit, and players' \"" + kind.name +
                   "\" hits by them whatever its layers collide with: it has no claim_layers");
  }
  return gaps;
}

/// Bombs that nothing limits.
std::vector<std::string> gaps_of_selections(const MatchConfig& config) {
  if (config.clearable_layers.empty()) return {};
  const auto limits = std::ranges::find(config.limits, Role::kPlayer, &RoleLimits::role);
  if (limits != config.limits.end() && limits->selection_interval_ticks.value_or(0) > 0) return {};
  return {
      "players may clear what is on clearable_layers 16 times a tick: "
      "their limits have no selection_interval_ticks"};
}

/// A start that one seat can hold up.
std::vector<std::string> gaps_of_waits(const MatchConfig& config) {
  if (config.start_after_participants == 0 || config.waits.start_timeout_ms > 0) return {};
  return {
      "the clock waits without end for start_after_participants, of whom one who sends no frames holds it "
      "up: "
      "waits.start_timeout_ms is 0"};
}

bool has(const std::optional<std::vector<Role>>& roles, Role role) {
  return roles && std::ranges::find(*roles, role) != roles->end();
}

std::string name_of(Role role) {
  return role == Role::kPlayer ? "player" : role == Role::kStage ? "stage" : "observer";
}

/// Replays of running matches, which have their secrets.
std::vector<std::string> gaps_of_replays(const MatchConfig& config) {
  std::vector<std::string> gaps;
  for (const Role role : {Role::kPlayer, Role::kObserver}) {
    if (!has(config.permissions.replay_roles, role) || has(config.permissions.secret_roles, role)) continue;
    gaps.push_back("permissions.replay_roles has \"" + name_of(role) +
                   "\", which is refused the replay of a match that runs: permissions.secret_roles does not "
                   "have it");
  }
  return gaps;
}

/// Observers that tell players what is hidden from them.
std::vector<std::string> gaps_of_visibility(const MatchConfig& config) {
  if (config.observer_delay_ticks > 0) return {};
  // A rule for observers of that layer, whichever, says that they were thought of.
  const auto is_for_observers = [&](const std::string& layer) {
    return std::ranges::any_of(config.visibility, [&](const VisibilityRule& rule) {
      return rule.role == Role::kObserver && rule.layer == layer;
    });
  };
  for (const VisibilityRule& rule : config.visibility) {
    if (rule.role != Role::kPlayer || rule.sees == Sight::kAll || is_for_observers(rule.layer)) continue;
    return {"visibility hides layer \"" + rule.layer +
            "\" from players and has no rule for observers, who may tell them at once: "
            "observer_delay_ticks is 0"};
  }
  return {};
}

/// Of what a participant has spawned and disabled; the numbers of those that are alive go with it.
bool has_counts(const ObjectTemplate& kind) {
  const SpawnRules& spawn = kind.spawn;
  return spawn.interval_ticks > 0 || spawn.total_max > 0 || spawn.respawn_delay_ticks > 0 ||
         kind.disable_interval_ticks > 0;
}

/// Counts that go with a number, and numbers that anyone may take.
std::vector<std::string> gaps_of_slots(const MatchConfig& config) {
  if (!config.slots.empty()) return {};
  const bool limits_count = std::ranges::any_of(config.limits, [](const RoleLimits& limits) {
    return limits.selection_interval_ticks.value_or(0) > 0;
  });
  if (!limits_count && std::ranges::none_of(config.templates, has_counts)) return {};
  return {std::string(limits_count ? "limits" : "templates") +
          " count by a participant's number, and the next to join takes a number that is freed, with its "
          "counts: slots is empty"};
}

/// Whose frames can stop the time of all.
std::vector<std::string> gaps_of_clock(const MatchConfig& config) {
  if (!has(config.clock_control_roles, Role::kPlayer)) return {};
  return {"any player may pause the match or slow it down: clock_control_roles has \"player\""};
}

/// Leaps of those that stood still. Under SPREAD nothing goes further in a tick than late frames may take it.
std::vector<std::string> gaps_of_speeds(const MatchConfig& config) {
  if (config.late_frames == LateFramePolicy::kSpread) return {};
  constexpr std::uint32_t kBudgetTicks = 60;
  std::vector<std::string> gaps;
  const auto look = [&gaps](const std::string& field, std::uint32_t ticks) {
    if (ticks <= kBudgetTicks) return;
    gaps.push_back("what stood still may leap the way of " + std::to_string(ticks) +
                   " ticks in one: " + field + ".speed_budget_ticks is over " + std::to_string(kBudgetTicks));
  };
  for (std::size_t i = 0; i < config.layer_limits.size(); ++i)
    look("layer_limits[" + std::to_string(i) + "]", config.layer_limits[i].speed_budget_ticks);
  for (std::size_t i = 0; i < config.templates.size(); ++i)
    look("templates[" + std::to_string(i) + "]", config.templates[i].speed_budget_ticks);
  return gaps;
}

}  // namespace

std::vector<std::string> warnings_of(const MatchConfig& config) {
  std::vector<std::string> warnings;
  for (const auto gaps : {gaps_of_claims, gaps_of_selections, gaps_of_waits, gaps_of_replays,
                          gaps_of_visibility, gaps_of_slots, gaps_of_clock, gaps_of_speeds})
    std::ranges::move(gaps(config), std::back_inserter(warnings));
  for (std::size_t i = 0; i < config.scoring.size(); ++i) {
    const ScoringRule& rule = config.scoring[i];
    const std::string& layer = rule.credit == ScoringCredit::kOwnerOfA ? rule.layer_a : rule.layer_b;
    const std::string gap = rule.points > 0 ? gap_of(config, layer) : "";
    if (gap.empty()) continue;
    warnings.push_back("scoring[" + std::to_string(i) + "] \"" + rule.name + "\" rewards layer \"" + layer +
                       "\", and " + gap);
  }
  return warnings;
}

}  // namespace sweepd::tools
