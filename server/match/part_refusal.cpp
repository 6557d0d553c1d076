// SPDX-License-Identifier: MIT
#include "match/part_refusal.h"

#include <utility>

#include "match/part_preparer.h"

namespace sweepd::match {
namespace {

using collision::Box;
using collision::Part;
using collision::Point;
using collision::ShapeKind;

template <typename Number>
std::string text(Number number) {
  return std::to_string(number);
}

std::string range_text() { return text(collision::kSubunitsMin) + " to " + text(collision::kSubunitsMax); }

/// The edges of a box or of what lies in none, for it is too far out.
struct Extent {
  std::int64_t min_x, min_y, max_x, max_y;
};

std::optional<Edge> edge_out_of_range(const Extent& extent, Point position) {
  for (const Edge& edge : {Edge{"min_x", true, extent.min_x}, Edge{"max_x", true, extent.max_x},
                           Edge{"min_y", false, extent.min_y}, Edge{"max_y", false, extent.max_y}}) {
    if (!collision::fits_subunits(edge.value + (edge.is_x ? position.x : position.y))) return edge;
  }
  return std::nullopt;
}

const char* name_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kBox:
      return "box";
    case ShapeKind::kCircle:
      return "circle";
    case ShapeKind::kCapsule:
      return "capsule";
    case ShapeKind::kMask:
      return "mask";
  }
  return "shape";
}

RefusalText describe_inverted_box(std::string field, const Box& box) {
  if (box.min_x > box.max_x) {
    return {std::move(field) + ".min_x",
            "min_x " + text(box.min_x) + " is greater than max_x " + text(box.max_x)};
  }
  return {std::move(field) + ".min_y",
          "min_y " + text(box.min_y) + " is greater than max_y " + text(box.max_y)};
}

/// The field of a shape that an edge follows from; the shape where no single edge is at fault.
std::string field_of(const std::string& shape, ShapeKind kind, const std::optional<Edge>& edge) {
  if (!edge) return shape;
  switch (kind) {
    case ShapeKind::kBox:
      return shape + "." + edge->name;
    case ShapeKind::kCircle:
      return shape + (edge->is_x ? ".center_x" : ".center_y");
    case ShapeKind::kMask:
      return shape + (edge->is_x ? ".x" : ".y");
    case ShapeKind::kCapsule:
      break;
  }
  return shape;
}

RefusalText describe_out_of_range(const std::string& shape, std::size_t index, const Part& part,
                                  Point position, const RefusalContext& context) {
  if (part.kind != ShapeKind::kBox && is_inverted(part.box)) {
    return {shape + ".radius", "radius is " + text(part.radius) +
                                   ", which reaches out of the range of coordinates, " + range_text() +
                                   ", relative to the object's position"};
  }
  Extent extent{part.box.min_x, part.box.min_y, part.box.max_x, part.box.max_y};
  if (part.kind == ShapeKind::kMask && part.mask < context.masks.size()) {
    const MaskSize size = size_of(context.masks[part.mask]);
    extent.max_x = extent.min_x + size.width;
    extent.max_y = extent.min_y + size.height;
    // It has to be in range relative to its object first.
    if (!collision::fits_subunits(extent.max_x) || !collision::fits_subunits(extent.max_y)) position = {};
  }
  const std::optional<Edge> edge = edge_out_of_range(extent, position);
  return {field_of(shape, part.kind, edge), describe_range(edge, index, position)};
}

/// The layer of a part as it was sent, as far as that is known: see saturate_layer.
std::string sent_layer(collision::LayerId layer) {
  return layer < collision::kLayersMax ? text(layer) : text(collision::kLayersMax) + " or more";
}

std::string describe_mask(const Part& part, const RefusalContext& context) {
  const bool fits_no_id = is_inverted(part.box);
  const std::string found =
      "mask is " + (fits_no_id ? text(collision::kMasksMax) + " or more" : text(part.mask));
  if (context.masks.empty()) return found + "; the match has no masks";
  return found + "; the match has masks 0 to " + text(context.masks.size() - 1);
}

RefusalText describe_part(Refusal refusal, const std::string& field, const Part& part, Point position,
                          const RefusalContext& context) {
  const std::string shape = field + "." + name_of(part.kind);
  switch (refusal.reason) {
    case RejectionReason::kInvertedBox:
      return describe_inverted_box(shape, part.box);
    case RejectionReason::kUnknownLayer:
      return {field + ".layer", describe_layer(sent_layer(part.layer), context)};
    case RejectionReason::kNegativeRadius:
      return {shape + ".radius", "radius is " + text(part.radius) + "; must be 0 or more"};
    case RejectionReason::kUnknownMask:
      return {shape + ".mask", describe_mask(part, context)};
    case RejectionReason::kMalformed:
      return {shape, "its numbers describe no " + std::string(name_of(part.kind))};
    case RejectionReason::kOutOfRange:
      return describe_out_of_range(shape, refusal.part, part, position, context);
    default:
      return {field, kUndescribed};
  }
}

}  // namespace

std::optional<Edge> edge_out_of_range(const Box& box, Point position) {
  return edge_out_of_range(Extent{box.min_x, box.min_y, box.max_x, box.max_y}, position);
}

std::string describe_range(const std::optional<Edge>& edge, std::size_t part, Point position) {
  if (!edge) {
    return "part " + text(part) + " would span the whole range of coordinates, " + range_text() +
           ", in x and in y; one edge must lie within";
  }
  const std::int64_t place = edge->is_x ? position.x : position.y;
  return "part " + text(part) + " would have its " + edge->name + " at " + text(place + edge->value) +
         "; coordinates go from " + range_text();
}

std::string describe_layer(const std::string& found, const RefusalContext& context) {
  return "layer is " + found + "; the match has layers 0 to " + text(context.layer_count - 1);
}

RefusalText describe_parts(Refusal refusal, const std::string& change, std::span<const Part> parts,
                           Point position, const RefusalContext& context) {
  if (refusal.reason == RejectionReason::kNoParts)
    return {change + ".parts", "has no part; must have 1 to 32"};
  if (refusal.reason == RejectionReason::kTooManyParts) {
    return {change + ".parts",
            "has " + text(parts.size()) + " parts; must have 1 to " + text(collision::kPartsMax)};
  }
  if (refusal.part >= parts.size()) return {change, kUndescribed};
  return describe_part(refusal, change + indexed_field(".parts", refusal.part), parts[refusal.part], position,
                       context);
}

}  // namespace sweepd::match
