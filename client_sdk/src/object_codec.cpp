// SPDX-License-Identifier: MIT
#include "object_codec.h"

#include "shape_codec.h"
#include "subunits.h"

namespace sweepd::internal {
namespace {

constexpr std::size_t kPartsMax = 32;

}  // namespace

Checked check_layer(std::uint32_t layer, std::uint32_t layer_count) {
  if (layer < layer_count) return {};
  return FieldError{
      ErrorCode::kOutOfRange, "layer",
      "is " + std::to_string(layer) + "; the match has layers 0 to " + std::to_string(layer_count - 1)};
}

Checked encode(const std::vector<Part>& parts, const MatchLimits& limits,
               google::protobuf::RepeatedPtrField<v1::Part>* out) {
  if (parts.empty() || parts.size() > kPartsMax) {
    return FieldError{ErrorCode::kInvalidArgument, "parts",
                      "has " + std::to_string(parts.size()) + " elements; 1 to " + std::to_string(kPartsMax) +
                          " are allowed"};
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    v1::Part* part = out->Add();
    if (auto error = encode_shape(parts[i], limits.mask_count, part))
      return std::move(*error).at(i).within("parts");
    if (auto error = check_layer(parts[i].layer, limits.layer_count))
      return std::move(*error).at(i).within("parts");
    part->set_layer(parts[i].layer);
  }
  return {};
}

Checked encode(const Motion& motion, v1::Motion* out) {
  std::int32_t velocity_x = 0, velocity_y = 0, acceleration_x = 0, acceleration_y = 0;
  if (auto error = to_subunits(motion.velocity.x, "motion.velocity.x", &velocity_x)) return error;
  if (auto error = to_subunits(motion.velocity.y, "motion.velocity.y", &velocity_y)) return error;
  if (auto error = to_subunits(motion.acceleration.x, "motion.acceleration.x", &acceleration_x)) return error;
  if (auto error = to_subunits(motion.acceleration.y, "motion.acceleration.y", &acceleration_y)) return error;
  out->set_velocity_x(velocity_x);
  out->set_velocity_y(velocity_y);
  out->set_acceleration_x(acceleration_x);
  out->set_acceleration_y(acceleration_y);
  return {};
}

Motion decode(const v1::Motion& motion) {
  return {.velocity = {to_units(motion.velocity_x()), to_units(motion.velocity_y())},
          .acceleration = {to_units(motion.acceleration_x()), to_units(motion.acceleration_y())}};
}

Checked encode(const ObjectSpec& spec, const MatchLimits& limits, v1::Spawn* out) {
  std::int32_t x = 0, y = 0;
  if (auto error = to_subunits(spec.position.x, "position.x", &x)) return error;
  if (auto error = to_subunits(spec.position.y, "position.y", &y)) return error;
  const bool has_template = spec.template_number != 0;
  if (!has_template || !spec.parts.empty()) {
    if (auto error = encode(spec.parts, limits, out->mutable_parts())) return error;
  }
  if (spec.motion) {
    if (auto error = encode(*spec.motion, out->mutable_motion())) return error;
  }
  out->set_x(x);
  out->set_y(y);
  out->set_time_to_live_ticks(spec.time_to_live_ticks);
  out->set_despawn_outside_playfield(spec.despawn_outside_playfield);
  out->set_continuous(spec.continuous);
  out->set_single_use(spec.single_use);
  out->set_hit_points(spec.hit_points);
  out->set_damage(spec.damage);
  out->set_template_number(spec.template_number);
  out->set_tag(spec.tag);
  return {};
}

}  // namespace sweepd::internal
