// SPDX-License-Identifier: MIT
#include "wire/shape_codec.h"

#include <algorithm>
#include <limits>

#include "match/part_preparer.h"

namespace sweepd::wire {
namespace {

using collision::Box;
using collision::Part;
using collision::ShapeKind;

static_assert(std::numeric_limits<collision::MaskId>::max() + 1 == collision::kMasksMax);

/// The smallest box around all points at most `radius` away from one of the line from a to b.
Box box_around(std::int64_t a_x, std::int64_t a_y, std::int64_t b_x, std::int64_t b_y, std::int64_t radius) {
  const std::int64_t min_x = std::min(a_x, b_x) - radius;
  const std::int64_t min_y = std::min(a_y, b_y) - radius;
  const std::int64_t max_x = std::max(a_x, b_x) + radius;
  const std::int64_t max_y = std::max(a_y, b_y) + radius;
  for (const std::int64_t edge : {min_x, min_y, max_x, max_y}) {
    if (!collision::fits_subunits(edge)) return match::kImpossibleBox;
  }
  return {static_cast<collision::Subunits>(min_x), static_cast<collision::Subunits>(min_y),
          static_cast<collision::Subunits>(max_x), static_cast<collision::Subunits>(max_y)};
}

Part decode_box(const v1::Box& box) {
  Part part;
  part.box = {box.min_x(), box.min_y(), box.max_x(), box.max_y()};
  return part;
}

Part decode_circle(const v1::Circle& circle) {
  Part part;
  part.kind = ShapeKind::kCircle;
  part.radius = circle.radius();
  part.box =
      box_around(circle.center_x(), circle.center_y(), circle.center_x(), circle.center_y(), circle.radius());
  return part;
}

Part decode_capsule(const v1::Capsule& capsule) {
  Part part;
  part.kind = ShapeKind::kCapsule;
  part.radius = capsule.radius();
  part.box = box_around(capsule.a_x(), capsule.a_y(), capsule.b_x(), capsule.b_y(), capsule.radius());
  const bool is_level = capsule.a_x() == capsule.b_x() || capsule.a_y() == capsule.b_y();
  part.is_rising = !is_level && (capsule.a_x() < capsule.b_x()) != (capsule.a_y() < capsule.b_y());
  return part;
}

Part decode_mask(const v1::MaskShape& mask) {
  Part part;
  part.kind = ShapeKind::kMask;
  const bool fits_id = mask.mask() < collision::kMasksMax;
  part.mask = static_cast<collision::MaskId>(fits_id ? mask.mask() : 0);
  part.box = fits_id ? Box{mask.x(), mask.y(), mask.x(), mask.y()} : match::kImpossibleBox;
  return part;
}

Part decode_shape(const v1::Part& message) {
  switch (message.shape_case()) {
    case v1::Part::kCircle:
      return decode_circle(message.circle());
    case v1::Part::kCapsule:
      return decode_capsule(message.capsule());
    case v1::Part::kMask:
      return decode_mask(message.mask());
    case v1::Part::kBox:
    case v1::Part::SHAPE_NOT_SET:
      break;
  }
  return decode_box(message.box());
}

void encode_capsule(const Part& part, v1::Capsule& message) {
  const collision::Subunits low = part.box.min_y + part.radius;
  const collision::Subunits high = part.box.max_y - part.radius;
  message.set_a_x(part.box.min_x + part.radius);
  message.set_b_x(part.box.max_x - part.radius);
  message.set_a_y(part.is_rising ? high : low);
  message.set_b_y(part.is_rising ? low : high);
  message.set_radius(part.radius);
}

}  // namespace

void encode_box(const collision::Box& box, v1::Box& message) {
  message.set_min_x(box.min_x);
  message.set_min_y(box.min_y);
  message.set_max_x(box.max_x);
  message.set_max_y(box.max_y);
}

void encode_part(const Part& part, v1::Part& message) {
  message.set_layer(part.layer);
  switch (part.kind) {
    case ShapeKind::kBox:
      return encode_box(part.box, *message.mutable_box());
    case ShapeKind::kCircle:
      message.mutable_circle()->set_center_x(part.box.min_x + part.radius);
      message.mutable_circle()->set_center_y(part.box.min_y + part.radius);
      message.mutable_circle()->set_radius(part.radius);
      return;
    case ShapeKind::kCapsule:
      return encode_capsule(part, *message.mutable_capsule());
    case ShapeKind::kMask:
      message.mutable_mask()->set_mask(part.mask);
      message.mutable_mask()->set_x(part.box.min_x);
      message.mutable_mask()->set_y(part.box.min_y);
  }
}

std::vector<Part> decode_parts(const google::protobuf::RepeatedPtrField<v1::Part>& messages) {
  std::vector<Part> parts;
  parts.reserve(static_cast<std::size_t>(messages.size()));
  for (const v1::Part& message : messages) {
    parts.push_back(decode_shape(message));
    parts.back().layer = collision::saturate_layer(message.layer());
  }
  return parts;
}

}  // namespace sweepd::wire
