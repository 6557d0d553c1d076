// SPDX-License-Identifier: MIT
#include "match/config.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "match/field_rules.h"

namespace sweepd::match {
namespace {

constexpr Range kNameRange{1, kNameBytesMax};
constexpr Range kCollidingPairsRange{0, collision::kLayersMax*(collision::kLayersMax + 1) / 2};

/// Names seen so far, each with its field, to find the second of two equal ones.
class UniqueNames {
 public:
  Found add(std::string field, std::string_view name) {
    if (Found error = check_bytes(field, name, kNameRange)) return error;
    const auto [first, is_new] = fields_.emplace(name, field);
    if (is_new) return std::nullopt;
    return FieldError{std::move(field), "is \"" + std::string(name) + "\", the name of " + first->second +
                                            " already; names must be unique"};
  }

 private:
  std::map<std::string_view, std::string> fields_;
};

Found check_known_layer(std::string field, const std::string& name, const MatchConfig& config) {
  if (std::ranges::find(config.layers, name) != config.layers.end()) return std::nullopt;
  if (Found error = check_bytes(field, name, kNameRange)) return error;
  return FieldError{std::move(field), "is \"" + name + "\"; must be a name from layers"};
}

/// The first place of each pair of layers. One may be given again, but not with other rules: which ones hold
/// would not be defined.
class ColliderPairs {
 public:
  explicit ColliderPairs(const std::vector<CollidingLayers>& collides) : collides_(collides) {}

  Found add(std::size_t index) {
    const auto layers = std::minmax<std::string_view>({collides_[index].layer_a, collides_[index].layer_b});
    const auto [first, is_new] = first_.try_emplace(layers, index);
    if (is_new) return std::nullopt;
    CollidingLayers pair = collides_[index];
    pair.layer_a = collides_[first->second].layer_a;
    pair.layer_b = collides_[first->second].layer_b;
    if (pair == collides_[first->second]) return std::nullopt;
    return FieldError{indexed("collides", index),
                      "is the pair of " + indexed("collides", first->second) +
                          " with another sensor, by_claims, damage_interval_ticks or claim_tolerance_max; "
                          "must be the same, or be left out"};
  }

 private:
  const std::vector<CollidingLayers>& collides_;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> first_;
};

}  // namespace

Found check_layers(const FieldIn<MatchConfig>& field) {
  const std::vector<std::string>& layers = field.owner.layers;
  if (Found error = check_count(field.path, layers.size(), {1, collision::kLayersMax})) return error;
  UniqueNames names;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (Found error = names.add(indexed(field.path, i), layers[i])) return error;
  }
  return std::nullopt;
}

Found check_collides(const FieldIn<MatchConfig>& field) {
  const std::vector<CollidingLayers>& collides = field.owner.collides;
  if (Found error = check_count(field.path, collides.size(), kCollidingPairsRange)) return error;
  ColliderPairs pairs(collides);
  for (std::size_t i = 0; i < collides.size(); ++i) {
    const std::string path = indexed(field.path, i);
    if (Found error = check_known_layer(path + ".layer_a", collides[i].layer_a, field.config)) return error;
    if (Found error = check_known_layer(path + ".layer_b", collides[i].layer_b, field.config)) return error;
    if (Found error = check_fields(path, collides[i], field.config)) return error;
    if (Found error = pairs.add(i)) return error;
  }
  return std::nullopt;
}

Found check_by_claims(const FieldIn<CollidingLayers>& field) {
  if (!field.owner.by_claims) return std::nullopt;
  if (field.owner.sensor) {
    return FieldError{field.path, "is true; must be false where sensor is set: it is never hit"};
  }
  if (field.config.claims.policy == ClaimPolicy::kEnforce) return std::nullopt;
  return FieldError{field.path, "is true; claims.policy must be ENFORCE, or nothing would ever hit"};
}

Found check_damage_interval(const FieldIn<CollidingLayers>& field) {
  const CollidingLayers& pair = field.owner;
  Found error = check_number(field.path, pair.damage_interval_ticks, {0, 3600});
  if (error || pair.damage_interval_ticks == 0 || !(pair.sensor || pair.by_claims)) return error;
  return FieldError{field.path, "is " + std::to_string(pair.damage_interval_ticks) +
                                    "; must be 0 where sensor or by_claims is set: contact does no damage"};
}

Found check_clearable_layers(const FieldIn<MatchConfig>& field) {
  const std::vector<std::string>& names = field.owner.clearable_layers;
  if (Found error = check_count(field.path, names.size(), {0, collision::kLayersMax})) return error;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (Found error = check_known_layer(indexed(field.path, i), names[i], field.config)) return error;
  }
  return std::nullopt;
}

Found check_playfield(const FieldIn<MatchConfig>& field) {
  const collision::Box& box = field.owner.playfield;
  if (box.min_x > box.max_x) {
    return FieldError{field.path + ".min_x", "is " + std::to_string(box.min_x) + "; must be at most max_x, " +
                                                 std::to_string(box.max_x)};
  }
  if (box.min_y > box.max_y) {
    return FieldError{field.path + ".min_y", "is " + std::to_string(box.min_y) + "; must be at most max_y, " +
                                                 std::to_string(box.max_y)};
  }
  return std::nullopt;
}

Found check_slots(const FieldIn<MatchConfig>& field) {
  const std::vector<ParticipantSlot>& slots = field.owner.slots;
  if (Found error = check_count(field.path, slots.size(), {0, kParticipantsMax})) return error;
  UniqueNames names;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::string path = indexed(field.path, i);
    if (Found error = names.add(path + ".name", slots[i].name)) return error;
    if (Found error = check_fields(path, slots[i], field.config)) return error;
  }
  return std::nullopt;
}

Found check_block(const FieldIn<ParticipantSlot>& field) {
  const ParticipantSlot& slot = field.owner;
  if (slot.first_id == 0 && slot.last_id == 0) return std::nullopt;
  const std::string block = std::to_string(slot.first_id) + " to " + std::to_string(slot.last_id);
  if (slot.role == Role::kObserver) {
    return FieldError{field.path, "gives an observer the ids " + block + "; must be 0 to 0: it owns nothing"};
  }
  if (slot.first_id == 0) {
    return FieldError{field.path, "is 0 while last_id is " + std::to_string(slot.last_id) +
                                      "; must be at least 1, or both must be 0"};
  }
  return std::nullopt;
}

Found check_block_end(const FieldIn<ParticipantSlot>& field) {
  const ParticipantSlot& slot = field.owner;
  if (slot.first_id <= slot.last_id) return std::nullopt;
  return FieldError{field.path, "is " + std::to_string(slot.last_id) + "; must be at least first_id, " +
                                    std::to_string(slot.first_id)};
}

Found check_start(const FieldIn<MatchConfig>& field) {
  const std::vector<ParticipantSlot>& slots = field.owner.slots;
  const auto joins = [](const ParticipantSlot& slot) { return slot.role != Role::kObserver; };
  // More than may ever join would mean a clock that never starts.
  const std::int64_t most = slots.empty() ? kParticipantsMax : std::ranges::count_if(slots, joins);
  return check_number(field.path, field.owner.start_after_participants, {0, most});
}

Found check_masks(const FieldIn<MatchConfig>& field) { return find_mask_error(field.owner.masks); }

Found find_error(const MatchConfig& config) { return check_fields("", config, config); }

}  // namespace sweepd::match
