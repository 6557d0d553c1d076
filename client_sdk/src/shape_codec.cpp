// SPDX-License-Identifier: MIT
#include "shape_codec.h"

#include <algorithm>
#include <limits>

#include "subunits.h"

namespace sweepd::internal {
namespace {

FieldError inverted(const char* field, double min, const char* other, double max) {
  return {ErrorCode::kInvalidArgument, field,
          "is " + std::to_string(min) + ", greater than " + other + ", " + std::to_string(max)};
}

Checked encode_radius(double units, std::int32_t* out) {
  if (auto error = to_subunits(units, "radius", out)) return error;
  if (*out >= 0) return {};
  return FieldError{ErrorCode::kInvalidArgument, "radius",
                    "is " + std::to_string(units) + "; must be 0 or more"};
}

/// Around a center or the end of a line, `radius` has to stay in the range too.
Checked check_reach(std::int64_t center, std::int64_t radius, const char* field) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  if (center - radius >= kMin && center + radius <= kMax) return {};
  return FieldError{ErrorCode::kOutOfRange, field,
                    "and radius reach out of the range of " + std::to_string(to_units(kMin)) + " to " +
                        std::to_string(to_units(kMax))};
}

struct Place {
  const char* x_field;
  const char* y_field;
  std::int32_t x = 0;
  std::int32_t y = 0;
};

Checked encode_place(Vec2 units, std::int32_t radius, Place* place) {
  if (auto error = to_subunits(units.x, place->x_field, &place->x)) return error;
  if (auto error = to_subunits(units.y, place->y_field, &place->y)) return error;
  if (auto error = check_reach(place->x, radius, place->x_field)) return error;
  return check_reach(place->y, radius, place->y_field);
}

Checked encode(const Circle& circle, v1::Circle* out) {
  std::int32_t radius = 0;
  Place center{"center.x", "center.y"};
  if (auto error = encode_radius(circle.radius, &radius)) return error;
  if (auto error = encode_place(circle.center, radius, &center)) return error;
  out->set_center_x(center.x);
  out->set_center_y(center.y);
  out->set_radius(radius);
  return {};
}

Checked encode(const Capsule& capsule, v1::Capsule* out) {
  std::int32_t radius = 0;
  Place a{"a.x", "a.y"};
  Place b{"b.x", "b.y"};
  if (auto error = encode_radius(capsule.radius, &radius)) return error;
  if (auto error = encode_place(capsule.a, radius, &a)) return error;
  if (auto error = encode_place(capsule.b, radius, &b)) return error;
  out->set_a_x(a.x);
  out->set_a_y(a.y);
  out->set_b_x(b.x);
  out->set_b_y(b.y);
  out->set_radius(radius);
  return {};
}

Checked encode(const MaskShape& mask, std::uint32_t mask_count, v1::MaskShape* out) {
  if (mask.mask >= mask_count) {
    return FieldError{ErrorCode::kOutOfRange, "mask",
                      "is " + std::to_string(mask.mask) + "; the match has " + std::to_string(mask_count) +
                          " masks, the first one is 0"};
  }
  Place corner{"corner.x", "corner.y"};
  if (auto error = encode_place(mask.corner, 0, &corner)) return error;
  out->set_mask(mask.mask);
  out->set_x(corner.x);
  out->set_y(corner.y);
  return {};
}

Checked within(const char* shape, Checked error) {
  if (error) return std::move(*error).within(shape);
  return error;
}

/// A length that may not be less than `min` subunits; the server knows the upper limit.
Checked encode_length(double units, const char* field, std::int32_t min, std::int32_t* out) {
  if (auto error = to_subunits(units, field, out)) return error;
  if (*out >= min) return {};
  return FieldError{ErrorCode::kOutOfRange, field,
                    "is " + std::to_string(units) + "; must be at least " + std::to_string(to_units(min))};
}

}  // namespace

Checked encode(const Box& box, v1::Box* out) {
  std::int32_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;
  if (auto error = to_subunits(box.min_x, "min_x", &min_x)) return error;
  if (auto error = to_subunits(box.min_y, "min_y", &min_y)) return error;
  if (auto error = to_subunits(box.max_x, "max_x", &max_x)) return error;
  if (auto error = to_subunits(box.max_y, "max_y", &max_y)) return error;
  if (min_x > max_x) return inverted("min_x", box.min_x, "max_x", box.max_x);
  if (min_y > max_y) return inverted("min_y", box.min_y, "max_y", box.max_y);
  out->set_min_x(min_x);
  out->set_min_y(min_y);
  out->set_max_x(max_x);
  out->set_max_y(max_y);
  return {};
}

Box decode(const v1::Box& box) {
  return {to_units(box.min_x()), to_units(box.min_y()), to_units(box.max_x()), to_units(box.max_y())};
}

Checked encode_shape(const Part& part, std::uint32_t mask_count, v1::Part* out) {
  if (const auto* box = std::get_if<Box>(&part.shape)) return within("box", encode(*box, out->mutable_box()));
  if (const auto* circle = std::get_if<Circle>(&part.shape)) {
    return within("circle", encode(*circle, out->mutable_circle()));
  }
  if (const auto* capsule = std::get_if<Capsule>(&part.shape)) {
    return within("capsule", encode(*capsule, out->mutable_capsule()));
  }
  return within("mask", encode(std::get<MaskShape>(part.shape), mask_count, out->mutable_mask()));
}

Part decode(const v1::Part& part) {
  const auto units = [](std::int32_t x, std::int32_t y) { return Vec2{to_units(x), to_units(y)}; };
  if (part.has_circle()) {
    const v1::Circle& circle = part.circle();
    return Part::circle(units(circle.center_x(), circle.center_y()), to_units(circle.radius()), part.layer());
  }
  if (part.has_capsule()) {
    const v1::Capsule& capsule = part.capsule();
    return Part::capsule(units(capsule.a_x(), capsule.a_y()), units(capsule.b_x(), capsule.b_y()),
                         to_units(capsule.radius()), part.layer());
  }
  if (part.has_mask()) {
    return Part::mask(part.mask().mask(), units(part.mask().x(), part.mask().y()), part.layer());
  }
  return Part::box(decode(part.box()), part.layer());
}

Checked encode(const BitMask& mask, v1::BitMask* out) {
  std::int32_t pixel_size = 0;
  if (auto error = encode_length(mask.pixel_size(), "pixel_size", 1, &pixel_size)) return error;
  out->set_width(mask.width());
  out->set_height(mask.height());
  out->set_pixel_size(static_cast<std::uint32_t>(pixel_size));
  out->set_rows(mask.rows());
  return {};
}

BitMask decode(const v1::BitMask& mask) {
  BitMask decoded(mask.width(), mask.height(), mask.pixel_size() / kSubunitsPerUnit);
  if (!mask.rows().empty()) decoded.set_rows(mask.rows());
  return decoded;
}

}  // namespace sweepd::internal
