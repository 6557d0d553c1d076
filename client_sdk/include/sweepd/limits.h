// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweepd/role.h"

/// Limits of a match. What breaks one changes nothing and comes back as a rejection that names the rule, the
/// object and the limit; Client::get_match tells how often each participant broke which.
namespace sweepd {

/// What participants of a role may do; what is not given has no limit of its own. A player that the stage was
/// handed over to may do what either role may.
struct RoleLimits {
  Role role = Role::kPlayer;  ///< kPlayer or kStage; at most one entry for each.
  /// Layers on which its objects may have parts. Given and empty: none.
  std::optional<std::vector<std::string>> spawn_layers = {};
  std::optional<std::uint32_t> objects_max = {};           ///< 0 to 100000.
  std::optional<std::uint32_t> parts_max = {};             ///< In all its objects, 0 to 3200000.
  std::optional<std::uint32_t> frames_max = {};            ///< For one tick, 1 to 1024.
  std::optional<std::uint32_t> frame_bytes_max = {};       ///< On the wire, 64 to 2^30.
  std::optional<std::uint32_t> bytes_per_second_max = {};  ///< 64 to 2^30.
  std::optional<bool> may_teleport = {};  ///< Not given: objects of which no part has a speed_max.
  // Of its selections (FrameAuthor::despawn_all, freeze, release):
  /// The layers on which it may select, its own objects included. A selection of all layers is one of these.
  std::optional<std::vector<std::string>> selection_layers = {};
  /// The longer edge of the region at most, units. Given: a selection has to have a region.
  std::optional<double> selection_size_max = {};
  /// In the long run it makes one selection in so many ticks: 0 to 36000.
  std::optional<std::uint32_t> selection_interval_ticks = {};
  /// So many it makes at once: 1 to 1000. Not given: 1.
  std::optional<std::uint32_t> selection_burst = {};
};

/// What holds for every object that has a part on a layer.
struct LayerLimits {
  std::string layer = {};  ///< At most one entry for each.
  /// Units per tick: of what an object is moved by in a tick, by the game and by its motion, the length. Give
  /// a little more than the game's own speed, 1/128: positions are rounded. Acceleration needs a time to
  /// live.
  std::optional<double> speed_max = {};
  /// How many ticks' worth of movement is saved up, so that moves that come late or were lost are made up
  /// for: 1 to 3600; 0: 6.
  std::uint32_t speed_budget_ticks = 0;
  /// The boxes of parts on the layer have to stay within the playfield, which carries their objects along
  /// when it scrolls; the server's motion is not for such objects.
  bool stay_in_playfield = false;
};

/// What a match may take in all, of all participants together; each 1 to 1,000,000,000. What is not given,
/// the server sets to the most that it allows, and it refuses to create a match with more. Objects, parts and
/// selections beyond their budgets are refused; a tick that exceeds one of the others is the match's last,
/// and MatchInfo::end_reason says which it was.
struct Budgets {
  std::optional<std::uint32_t> objects_max = {};
  std::optional<std::uint32_t> parts_max = {};
  std::optional<std::uint32_t> overlapping_pairs_max = {};  ///< Of parts whose boxes overlap after a tick.
  std::optional<std::uint32_t> tests_per_tick_max = {};    ///< Exact tests of shapes and ways; see Budgets in
                                                           ///< limits.proto for how they count.
  std::optional<std::uint32_t> events_per_tick_max = {};   ///< Encounters that begin or end.
  std::optional<std::uint32_t> selected_objects_max = {};  ///< That one's selections look at in a tick.
};

/// A rule of a match's config, and what broke it.
struct BrokenRule {
  std::string rule = {};           ///< Path within the config: "templates[1].spawn.alive_max".
  std::string template_name = {};  ///< Empty: it is a rule of no template.
  /// What was found, and the limit, in the server's own units (subunits, ticks); both 0 where it is no matter
  /// of numbers. See BrokenRule in types.proto.
  std::uint64_t found = 0;
  std::uint64_t limit = 0;
};

/// How often a participant was refused something by a rule of a template.
struct TemplateRefusals {
  BrokenRule broken_rule = {};  ///< With what was found the last time.
  std::uint64_t count = 0;
};

/// How often a participant was refused something by a rule.
struct RejectionCount {
  std::string reason = {};  ///< "TOO_FAST", …
  std::uint64_t count = 0;
};

}  // namespace sweepd
