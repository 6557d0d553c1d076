// SPDX-License-Identifier: MIT
#include "match/config.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace sweepd::match {
namespace {

/// Names seen so far, each with its field, to find the second of two equal ones.
class UniqueNames {
 public:
  Found add(std::string field, std::string_view name) {
    if (Found error = check_bytes(field, name, {1, kNameBytesMax})) return error;
    const auto [first, is_new] = fields_.emplace(name, field);
    if (is_new) return std::nullopt;
    return FieldError{std::move(field), "is \"" + std::string(name) + "\", the name of " + first->second +
                                            " already; names must be unique"};
  }

  bool contains(std::string_view name) const { return fields_.contains(name); }

 private:
  std::map<std::string_view, std::string> fields_;
};

Found check_known_layer(std::string field, std::string_view name, const UniqueNames& layers) {
  if (layers.contains(name)) return std::nullopt;
  if (Found error = check_bytes(field, name, {1, kNameBytesMax})) return error;
  return FieldError{std::move(field), "is \"" + std::string(name) + "\"; must be a name from layers"};
}

/// The pairs of layers seen so far. One may be given again, but not with other rules: which ones hold would
/// be anybody's guess.
class ColliderPairs {
 public:
  Found add(std::size_t index, const CollidingLayers& pair) {
    std::string_view low = pair.layer_a;
    std::string_view high = pair.layer_b;
    if (high < low) std::swap(low, high);
    const auto [first, is_new] = pairs_.try_emplace(
        std::pair(low, high), index, Rules(pair.sensor, pair.by_claims, pair.damage_interval_ticks));
    const auto& [first_index, rules] = first->second;
    if (is_new || rules == Rules(pair.sensor, pair.by_claims, pair.damage_interval_ticks))
      return std::nullopt;
    return FieldError{
        indexed("collides", index),
        "is the pair of " + indexed("collides", first_index) +
            " with another sensor, by_claims or damage_interval_ticks; must be the same, or be left out"};
  }

 private:
  using Rules = std::tuple<bool, bool, std::uint32_t>;
  std::map<std::pair<std::string_view, std::string_view>, std::pair<std::size_t, Rules>> pairs_;
};

Found check_contact(const std::string& field, const CollidingLayers& pair, const ClaimRules& claims) {
  if (pair.sensor && pair.by_claims) {
    return FieldError{field + ".by_claims", "is true; must be false where sensor is set: it is never hit"};
  }
  if (pair.by_claims && claims.policy != ClaimPolicy::kEnforce) {
    return FieldError{field + ".by_claims",
                      "is true; claims.policy must be ENFORCE, or nothing would ever hit"};
  }
  Found error = check_number(field + ".damage_interval_ticks", pair.damage_interval_ticks, {0, 3600});
  if (error || pair.damage_interval_ticks == 0 || !(pair.sensor || pair.by_claims)) return error;
  return FieldError{field + ".damage_interval_ticks",
                    "is " + std::to_string(pair.damage_interval_ticks) +
                        "; must be 0 where sensor or by_claims is set: contact does no damage"};
}

Found check_colliding_layers(const MatchConfig& config, const UniqueNames& names) {
  if (Found error = check_count("collides", config.collides.size(), {0, kCollidingPairsMax})) return error;
  ColliderPairs pairs;
  for (std::size_t i = 0; i < config.collides.size(); ++i) {
    const CollidingLayers& pair = config.collides[i];
    const std::string field = indexed("collides", i);
    if (Found error = check_known_layer(field + ".layer_a", pair.layer_a, names)) return error;
    if (Found error = check_known_layer(field + ".layer_b", pair.layer_b, names)) return error;
    if (Found error = check_contact(field, pair, config.claims)) return error;
    if (Found error = pairs.add(i, pair)) return error;
  }
  return std::nullopt;
}

Found check_ruleset(const Ruleset& ruleset) {
  if (Found error = check_bytes("ruleset.name", ruleset.name, {0, kNameBytesMax})) return error;
  return check_bytes("ruleset.version", ruleset.version, {0, kNameBytesMax});
}

Found check_layers(const MatchConfig& config) {
  if (Found error = check_count("layers", config.layers.size(), {1, collision::kLayersMax})) return error;
  UniqueNames names;
  for (std::size_t i = 0; i < config.layers.size(); ++i) {
    if (Found error = names.add(indexed("layers", i), config.layers[i])) return error;
  }
  if (Found error = check_colliding_layers(config, names)) return error;
  if (Found error =
          check_count("clearable_layers", config.clearable_layers.size(), {0, collision::kLayersMax})) {
    return error;
  }
  for (std::size_t i = 0; i < config.clearable_layers.size(); ++i) {
    Found error = check_known_layer(indexed("clearable_layers", i), config.clearable_layers[i], names);
    if (error) return error;
  }
  return std::nullopt;
}

Found check_clock(const MatchConfig& config) {
  if (Found error = check_kind("clock", static_cast<std::uint8_t>(config.clock), {1, 3})) return error;
  if (Found error = check_number("tick_rate_hz", config.tick_rate_hz, kTickRateRangeHz)) return error;
  if (Found error = find_error(config.lockstep)) return error;
  return check_number("heartbeat_ticks", config.heartbeat_ticks, {1, 3600});
}

Found check_streams(const MatchConfig& config) {
  if (Found error = check_number("reconnect_ticks", config.reconnect_ticks, {0, kReconnectTicksMax}))
    return error;
  return check_number("retained_ticks", config.retained_ticks, {0, kRetainedTicksMax});
}

Found check_frames(const MatchConfig& config) {
  if (Found error = check_kind("late_frames", static_cast<std::uint8_t>(config.late_frames), {1, 2}))
    return error;
  if (Found error = check_number("max_lead_ticks", config.max_lead_ticks, {0, 3600})) return error;
  return check_number("max_late_ticks", config.max_late_ticks, {0, 3600});
}

Found check_playfield(const collision::Box& box) {
  if (box.min_x > box.max_x) {
    return FieldError{"playfield.min_x", "is " + std::to_string(box.min_x) + "; must be at most max_x, " +
                                             std::to_string(box.max_x)};
  }
  if (box.min_y > box.max_y) {
    return FieldError{"playfield.min_y", "is " + std::to_string(box.min_y) + "; must be at most max_y, " +
                                             std::to_string(box.max_y)};
  }
  return std::nullopt;
}

Found check_block(const std::string& field, const ParticipantSlot& slot) {
  if (slot.first_id == 0 && slot.last_id == 0) return std::nullopt;
  const std::string block = std::to_string(slot.first_id) + " to " + std::to_string(slot.last_id);
  if (slot.role == Role::kObserver) {
    return FieldError{field + ".first_id",
                      "gives an observer the ids " + block + "; must be 0 to 0: it owns nothing"};
  }
  if (slot.first_id == 0) {
    return FieldError{field + ".first_id", "is 0 while last_id is " + std::to_string(slot.last_id) +
                                               "; must be at least 1, or both must be 0"};
  }
  if (slot.first_id > slot.last_id) {
    return FieldError{field + ".last_id", "is " + std::to_string(slot.last_id) +
                                              "; must be at least first_id, " +
                                              std::to_string(slot.first_id)};
  }
  return std::nullopt;
}

Found check_slots(const MatchConfig& config) {
  if (Found error = check_count("slots", config.slots.size(), {0, kParticipantsMax})) return error;
  UniqueNames names;
  for (std::size_t i = 0; i < config.slots.size(); ++i) {
    const ParticipantSlot& slot = config.slots[i];
    const std::string field = indexed("slots", i);
    if (Found error = names.add(field + ".name", slot.name)) return error;
    if (Found error = check_kind(field + ".role", static_cast<std::uint8_t>(slot.role), {1, 3})) return error;
    if (Found error = check_block(field, slot)) return error;
  }
  return std::nullopt;
}

Found check_participants(const MatchConfig& config) {
  if (Found error =
          check_number("ids_per_participant", config.ids_per_participant, {16, kIdsPerParticipantMax})) {
    return error;
  }
  if (Found error =
          check_number("objects_per_participant_max", config.objects_per_participant_max, {1, 100'000})) {
    return error;
  }
  std::uint64_t most = kParticipantsMax;
  if (!config.slots.empty()) {
    most = static_cast<std::uint64_t>(
        std::ranges::count_if(config.slots, [](const auto& slot) { return slot.role != Role::kObserver; }));
  }
  // More than may ever join would mean a clock that never starts.
  return check_number("start_after_participants", config.start_after_participants, {0, most});
}

}  // namespace

std::optional<FieldError> find_error(const MatchConfig& config) {
  if (Found error = check_bytes("name", config.name, {0, kMatchNameBytesMax})) return error;
  if (Found error = check_layers(config)) return error;
  if (Found error = check_clock(config)) return error;
  if (Found error = check_frames(config)) return error;
  if (Found error = check_streams(config)) return error;
  if (Found error = check_playfield(config.playfield)) return error;
  if (Found error = check_slots(config)) return error;
  if (Found error = check_participants(config)) return error;
  if (Found error = check_kind("stage_handover", static_cast<std::uint8_t>(config.stage_handover), {1, 2})) {
    return error;
  }
  if (Found error = find_scoring_error(config.scoring, config.collides)) return error;
  if (Found error = find_limits_error(config.limits, config.layer_limits, config.layers)) return error;
  if (Found error = check_ruleset(config.ruleset)) return error;
  if (Found error = check_kind("broadphase", static_cast<std::uint8_t>(config.broadphase), {0, 3}))
    return error;
  if (Found error = find_error(config.sector_grid)) return error;
  if (Found error = find_error(config.claims)) return error;
  if (Found error = check_number("history_ticks", config.history_ticks, {0, kHistoryTicksMax})) return error;
  return find_mask_error(config.masks);
}

}  // namespace sweepd::match
