// SPDX-License-Identifier: MIT
#include "match/refusal.h"

#include <utility>

#include "base/assert.h"
#include "match/limit_refusal.h"
#include "match/part_refusal.h"
#include "match/rights.h"

namespace sweepd::match {
namespace {

using collision::ChangeError;
using collision::Part;
using collision::Point;

template <typename Number>
std::string text(Number number) {
  return std::to_string(number);
}

}  // namespace

std::optional<Refusal> refusal_of(collision::ChangeResult result) {
  const auto because = [&](RejectionReason reason) { return Refusal{reason, result.part}; };
  switch (result.error) {
    case ChangeError::kNone:
      return std::nullopt;
    case ChangeError::kIdInUse:
      return because(RejectionReason::kIdInUse);
    case ChangeError::kIdUsedThisTick:
      return because(RejectionReason::kIdUsedThisTick);
    case ChangeError::kUnknownObject:
      return because(RejectionReason::kUnknownObject);
    case ChangeError::kNoParts:
      return because(RejectionReason::kNoParts);
    case ChangeError::kTooManyParts:
      return because(RejectionReason::kTooManyParts);
    case ChangeError::kInvertedBox:
      return because(RejectionReason::kInvertedBox);
    case ChangeError::kUnknownLayer:
      return because(RejectionReason::kUnknownLayer);
    case ChangeError::kUnknownPart:
      return because(RejectionReason::kUnknownPart);
    case ChangeError::kOutOfRange:
      return because(RejectionReason::kOutOfRange);
    case ChangeError::kTickInThePast:
      return because(RejectionReason::kTickInThePast);
    case ChangeError::kNegativeRadius:
      return because(RejectionReason::kNegativeRadius);
    case ChangeError::kUnknownMask:
      return because(RejectionReason::kUnknownMask);
    case ChangeError::kNotACircle:
    case ChangeError::kNotACapsule:
    case ChangeError::kMaskSizeMismatch:
      return because(RejectionReason::kMalformed);
  }
  base::fail_assertion("a known error", __FILE__, __LINE__);
}

std::string indexed_field(const char* name, std::size_t index) {
  return std::string(name) + "[" + text(index) + "]";
}

std::string rule_of_object_count(const Refusal& refusal, const RefusalContext& context) {
  if (refusal.is_of_match) return "budgets.objects_max";
  const bool is_of_role = refusal.limit < context.objects_per_participant_max;
  return is_of_role ? path_of_limit(refusal.place, "objects_max") : "objects_per_participant_max";
}

std::string describe_object_count(const std::string& who, Refusal refusal, const RefusalContext& context) {
  return (refusal.is_of_match ? "the match" : who) + " has " + text(refusal.limit) +
         " objects already, the most it may have (" + rule_of_object_count(refusal, context) + ")";
}

RefusalText describe_spawn(Refusal refusal, std::size_t index, const collision::ObjectSpec& spec,
                           const Participant& participant, const RefusalContext& context) {
  const std::string change = indexed_field("spawns", index);
  const std::string id_field = change + ".object_id";
  if (is_of_a_limit(refusal)) return describe_parts_limit(refusal, change);
  switch (refusal.reason) {
    case RejectionReason::kIdOutOfBlock:
      return {id_field, "id " + text(spec.id) + " is outside the participant's block, " +
                            text(participant.first_id) + " to " + text(participant.last_id)};
    case RejectionReason::kTooManyObjects:
      return {change, describe_object_count("the participant", refusal, context)};
    case RejectionReason::kIdInUse:
      return {id_field, "id " + text(spec.id) + " is in use: an object of that id exists"};
    case RejectionReason::kIdUsedThisTick:
      return {id_field, "id " + text(spec.id) + " was despawned in tick " + text(context.tick) +
                            "; it may be used again from the next tick on"};
    default:
      return describe_parts(refusal, change, spec.parts, spec.position, context);
  }
}

RefusalText describe_reshape(Refusal refusal, std::size_t index, const Reshape& reshape,
                             std::optional<Point> position, const RefusalContext& context) {
  const std::string change = indexed_field("reshapes", index);
  const bool is_of_object =
      refusal.reason == RejectionReason::kNotOwner || refusal.reason == RejectionReason::kUnknownObject;
  if (!position || is_of_object) {
    return describe_object(refusal, change + ".object_id", reshape.object);
  }
  if (is_of_a_limit(refusal)) return describe_parts_limit(refusal, change);
  return describe_parts(refusal, change, reshape.parts, *position, context);
}

RefusalText describe_layer_change(Refusal refusal, std::size_t index, const LayerChange& change,
                                  std::size_t part_count, const RefusalContext& context) {
  const std::string field = indexed_field("layer_changes", index);
  if (is_of_a_limit(refusal)) return {field + ".layer", describe_limit(refusal)};
  if (refusal.reason == RejectionReason::kUnknownLayer)
    return {field + ".layer", describe_layer(text(change.layer), context)};
  if (refusal.reason == RejectionReason::kUnknownPart) {
    return {field + ".part", "part is " + text(change.part.value_or(0)) + "; object " + text(change.object) +
                                 " has parts 0 to " + text(part_count - 1)};
  }
  return describe_object(refusal, field + ".object_id", change.object);
}

namespace {

/// Columns of a frame that give objects positions.
struct PositionColumns {
  const char* id;
  const char* x;
  const char* y;
};

RefusalText describe_position(Refusal refusal, const PositionColumns& columns, std::size_t row,
                              const Move& move, std::span<const Part> parts) {
  if (is_of_a_limit(refusal)) {
    const bool is_right = refusal.reason == RejectionReason::kMayNotTeleport;
    return {indexed_field(is_right ? columns.id : columns.x, row), describe_limit(refusal)};
  }
  if (refusal.reason != RejectionReason::kOutOfRange) {
    return describe_object(refusal, indexed_field(columns.id, row), move.object);
  }
  if (refusal.part >= parts.size()) return {indexed_field(columns.id, row), kUndescribed};
  const std::optional<Edge> edge = edge_out_of_range(parts[refusal.part].box, move.position);
  return {indexed_field(edge && !edge->is_x ? columns.y : columns.x, row),
          describe_range(edge, refusal.part, move.position)};
}

}  // namespace

RefusalText describe_move(Refusal refusal, std::size_t index, std::size_t relative_moves, const Move& move,
                          std::span<const Part> parts) {
  if (index < relative_moves) {
    return describe_position(refusal, {"moves.id_delta", "moves.dx", "moves.dy"}, index, move, parts);
  }
  return describe_position(refusal, {"absolute_moves.object_id", "absolute_moves.x", "absolute_moves.y"},
                           index - relative_moves, move, parts);
}

RefusalText describe_teleport(Refusal refusal, std::size_t index, const Move& teleport,
                              std::span<const Part> parts) {
  return describe_position(refusal, {"teleports.object_id", "teleports.x", "teleports.y"}, index, teleport,
                           parts);
}

RefusalText describe_motion(Refusal refusal, std::size_t index, const MotionChange& motion) {
  const std::string change = indexed_field("motions", index);
  if (is_of_a_limit(refusal)) return {change + ".motion", describe_limit(refusal)};
  return describe_object(refusal, change + ".object_id", motion.object);
}

RefusalText describe_disable(Refusal refusal, std::size_t index, const Disable& disable,
                             const RefusalContext& context) {
  const std::string change = indexed_field("disables", index);
  if (refusal.reason == RejectionReason::kTickInThePast) {
    return {change + ".until_tick", "until_tick is " + text(disable.until_tick) + "; must be after tick " +
                                        text(context.tick) + ", in which it applies, or 0: until enabled"};
  }
  return describe_object(refusal, change + ".object_id", disable.object);
}

RefusalText describe_object(Refusal refusal, std::string field, ObjectId object) {
  if (refusal.reason == RejectionReason::kNotOwner) {
    return {std::move(field), "object " + text(object) + " belongs to another participant"};
  }
  if (refusal.reason != RejectionReason::kUnknownObject) return {std::move(field), kUndescribed};
  return {std::move(field), "no object of id " + text(object) + " exists"};
}

}  // namespace sweepd::match
