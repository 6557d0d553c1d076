// SPDX-License-Identifier: MIT
#include "wire/query_codec.h"

#include <string>

#include "wire/shape_codec.h"

namespace sweepd::wire {

using match::FieldError;

base::Result<std::uint64_t, FieldError> decode_layers(
    const google::protobuf::RepeatedField<std::uint32_t>& layers, std::size_t layer_count) {
  if (layers.empty()) return ~std::uint64_t{0};
  std::uint64_t set = 0;
  for (int i = 0; i < layers.size(); ++i) {
    if (layers[i] >= layer_count) {
      return FieldError{"layers[" + std::to_string(i) + "]", "is " + std::to_string(layers[i]) +
                                                                 "; the match has layers 0 to " +
                                                                 std::to_string(layer_count - 1)};
    }
    set |= std::uint64_t{1} << layers[i];
  }
  return set;
}

base::Result<int, FieldError> decode_limit(const char* field, std::uint32_t count, AnswerCount limits) {
  if (count > limits.most) {
    return FieldError{field, "is " + std::to_string(count) + "; at most " + std::to_string(limits.most)};
  }
  return static_cast<int>(count == 0 ? limits.by_default : count);
}

void encode_object(const match::PastObject& object, v1::ObjectState& message) {
  message.set_object_id(object.id);
  message.set_owner(object.owner);
  message.set_x(object.trajectory.position.x);
  message.set_y(object.trajectory.position.y);
  message.set_is_disabled(object.is_disabled);
  for (const collision::Part& part : object.parts) encode_part(part, *message.add_parts());
  const collision::Motion& motion = object.trajectory.motion;
  if (motion.is_still()) return;
  message.mutable_motion()->set_velocity_x(motion.velocity.x);
  message.mutable_motion()->set_velocity_y(motion.velocity.y);
  message.mutable_motion()->set_acceleration_x(motion.acceleration.x);
  message.mutable_motion()->set_acceleration_y(motion.acceleration.y);
}

base::Result<collision::Box, FieldError> decode_region(const v1::QueryRegionRequest& request) {
  if (!request.has_region()) return FieldError{"region", "is missing"};
  const v1::Box& region = request.region();
  const collision::Box box{region.min_x(), region.min_y(), region.max_x(), region.max_y()};
  if (!is_inverted(box)) return box;
  const bool is_x = box.min_x > box.max_x;
  const std::string axis = is_x ? "x" : "y";
  return FieldError{"region.min_" + axis, "is " + std::to_string(is_x ? box.min_x : box.min_y) +
                                              ", more than max_" + axis + ", which is " +
                                              std::to_string(is_x ? box.max_x : box.max_y)};
}

}  // namespace sweepd::wire
