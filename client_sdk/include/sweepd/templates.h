// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweepd/role.h"
#include "sweepd/shapes.h"

/// Templates: the kinds of objects that may exist in a match. A role that has templates spawns nothing else.
/// What breaks a rule changes nothing and comes back as a rejection that names the template and the rule; the
/// rules are in templates.proto. Lengths are in playfield units.
namespace sweepd {

/// All parts of an object.
struct TemplateShape {
  std::vector<Part> parts = {};  ///< 1 to 32.
};

/// Where and how often one participant may spawn objects of a template. What is left out has no limit.
struct SpawnRules {
  std::optional<Box> region = {};  ///< Where its position may be, relative to the playfield's origin.
  /// Name of a template: within distance_max of an own object of that one, where that was after the last
  /// tick.
  std::string near = {};
  double distance_max = 0;
  std::uint32_t interval_ticks = 0;  ///< One in so many ticks in the long run; at most 36000.
  std::uint32_t burst = 0;           ///< And so many of them ahead of that; 1 to 1000, 0: 1.
  std::optional<std::uint32_t> alive_max = {};
  /// After the last one was gone, also that of a participant that had this seat before and has left; at most
  /// 36000.
  std::uint32_t respawn_delay_ticks = 0;
  std::optional<Box> velocity = {};  ///< Within which its velocity then is; units per tick.
  std::uint32_t total_max = 0;       ///< In the whole match: lives; at most 1000000, 0: no limit.
};

/// A kind of objects: `session.spawn("ship", {240, 600})`.
struct ObjectTemplate {
  std::string name = {};                        ///< 1 to 64 bytes, unique in the match.
  std::optional<std::vector<Role>> roles = {};  ///< Who may spawn it; not given: players.
  std::vector<TemplateShape> shapes = {};       ///< What it may be, 1 to 16; it is spawned with the first.
  std::uint32_t hit_points = 0;                 ///< As in ObjectSpec, and so the next four.
  std::uint32_t damage = 0;
  bool single_use = false;
  bool continuous = false;
  bool despawn_outside_playfield = false;       ///< Also in the tick of its spawn: see ObjectSpec.
  std::uint32_t time_to_live_max_ticks = 0;     ///< Also of a spawn that gives none. 0: no limit.
  std::optional<double> speed_max = {};         ///< Units per tick, as in LayerLimits.
  std::uint32_t speed_budget_ticks = 0;         ///< 1 to 3600; 0: 6.
  std::optional<double> acceleration_max = {};  ///< Of its motion, units per tick per tick.
  bool may_teleport = false;
  std::uint32_t disable_max_ticks = 0;       ///< For how long its owner may disable it; 0: not at all.
  std::uint32_t disable_interval_ticks = 0;  ///< From the beginning of one such time to the next.
  bool may_freeze = false;                   ///< By its owner, and by others on clearable layers.
  std::optional<std::vector<Role>> transfer_roles = {};  ///< To whom it may go; not given: to none.
  SpawnRules spawn = {};
  /// Names of layers: what it may hit by claims, as the shot of one. Not given: whatever its layers collide
  /// with; given and empty: nothing.
  std::optional<std::vector<std::string>> claim_layers = {};
  bool is_ballistic = false;               ///< Its owner neither moves it nor changes its motion.
  std::uint32_t disable_within_ticks = 0;  ///< Its owner disables it in its first ticks only; 0: at any time.
};

}  // namespace sweepd
