// SPDX-License-Identifier: MIT
#include "replay/part_codec.h"

#include <limits>

#include "collision/shapes/shape_check.h"

namespace sweepd::replay {
namespace {

using collision::Part;
using Fault = std::optional<std::string>;

void encode(const Part& part, v1::Part& message) {
  encode_box(part.box, *message.mutable_box());
  message.set_layer(part.layer);
  message.set_kind(static_cast<std::uint32_t>(part.kind));
  message.set_is_rising(part.is_rising);
  message.set_mask(part.mask);
  message.set_radius(part.radius);
}

/// A circle is square and a capsule has room for its radius: their makers see to that, and the world counts
/// on it. Inverted boxes and negative radiuses are what frames may hold and the match refuses.
Fault decode(const v1::Part& message, Part& part) {
  constexpr std::uint32_t kByteMax = std::numeric_limits<std::uint8_t>::max();
  if (message.layer() > kByteMax) return "a part's layer is " + std::to_string(message.layer());
  if (message.mask() > kByteMax) return "a part's mask is " + std::to_string(message.mask());
  if (message.kind() > static_cast<std::uint32_t>(collision::ShapeKind::kMask)) {
    return "a part's kind is " + std::to_string(message.kind());
  }
  part = {.box = decode_box(message.box()),
          .layer = static_cast<collision::LayerId>(message.layer()),
          .kind = static_cast<collision::ShapeKind>(message.kind()),
          .is_rising = message.is_rising(),
          .mask = static_cast<collision::MaskId>(message.mask()),
          .radius = message.radius()};
  if (part.kind == collision::ShapeKind::kMask) return std::nullopt;
  const collision::ShapeError error = collision::check_shape(part, {});
  if (error == collision::ShapeError::kNotACircle) return "a circle's box is none of a circle";
  if (error == collision::ShapeError::kNotACapsule) return "a capsule's box is none of a capsule";
  return std::nullopt;
}

}  // namespace

void encode_box(const collision::Box& box, v1::Box& message) {
  message.set_min_x(box.min_x);
  message.set_min_y(box.min_y);
  message.set_max_x(box.max_x);
  message.set_max_y(box.max_y);
}

collision::Box decode_box(const v1::Box& message) {
  return {message.min_x(), message.min_y(), message.max_x(), message.max_y()};
}

void encode_parts(const std::vector<Part>& parts, PartMessages& messages) {
  for (const Part& part : parts) encode(part, *messages.Add());
}

std::optional<std::string> decode_parts(const PartMessages& messages, std::vector<Part>& parts) {
  parts.resize(static_cast<std::size_t>(messages.size()));
  for (int i = 0; i < messages.size(); ++i) {
    if (Fault fault = decode(messages[i], parts[static_cast<std::size_t>(i)])) return fault;
  }
  return std::nullopt;
}

}  // namespace sweepd::replay
