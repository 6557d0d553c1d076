// SPDX-License-Identifier: MIT
#include "match/object_limits.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/assert.h"
#include "match/frame_queue.h"
#include "match/world_config.h"

namespace sweepd::match {
namespace {

using collision::Box;
using collision::ObjectView;
using collision::Part;
using collision::Point;

bool has(std::uint64_t layers, std::uint32_t layer) {
  return layer < collision::kLayersMax && (layers >> layer & 1) != 0;
}

/// How far parts are beyond each side of the playfield, and which is the farthest on each.
struct Overhang {
  std::array<std::int64_t, 4> sides{};
  std::array<std::uint8_t, 4> parts{};
};

Overhang overhang_of(std::span<const Part> parts, Point position, std::uint64_t layers, const Box& playfield,
                     Point origin) {
  Overhang overhang;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!has(layers, parts[i].layer)) continue;
    const Box& box = parts[i].box;
    const std::int64_t x = std::int64_t{position.x} - origin.x;
    const std::int64_t y = std::int64_t{position.y} - origin.y;
    const std::array<std::int64_t, 4> sides{playfield.min_x - (x + box.min_x),
                                            playfield.min_y - (y + box.min_y),
                                            x + box.max_x - playfield.max_x, y + box.max_y - playfield.max_y};
    for (std::size_t side = 0; side < sides.size(); ++side) {
      if (sides[side] <= overhang.sides[side]) continue;
      overhang.sides[side] = sides[side];
      overhang.parts[side] = static_cast<std::uint8_t>(std::min<std::size_t>(i, 255));
    }
  }
  return overhang;
}

/// Of the smallest box around the parts on `layers`, times two: so that it is a whole number. Nothing where
/// there is none.
struct Middle {
  std::int64_t x;
  std::int64_t y;
};

std::optional<Middle> middle_of(std::span<const Part> parts, std::uint64_t layers) {
  std::optional<Box> around;
  for (const Part& part : parts) {
    if (!has(layers, part.layer)) continue;
    if (!around) around = part.box;
    around = Box{std::min(around->min_x, part.box.min_x), std::min(around->min_y, part.box.min_y),
                 std::max(around->max_x, part.box.max_x), std::max(around->max_y, part.box.max_y)};
  }
  if (!around) return std::nullopt;
  return Middle{std::int64_t{around->min_x} + around->max_x, std::int64_t{around->min_y} + around->max_y};
}

Refusal too_many_parts(std::uint64_t found, const Rights& rights) {
  return {.reason = RejectionReason::kTooManyParts,
          .is_of_all_objects = true,
          .found = found,
          .limit = rights.parts_max.value,
          .place = rights.parts_max.place};
}

Refusal too_fast(const SpeedLimit& limit, std::uint64_t found, std::uint64_t allowed) {
  return {.reason = RejectionReason::kTooFast,
          .rule = limit.is_of_template ? TemplateRule::kSpeed : TemplateRule::kNone,
          .found = found,
          .limit = allowed,
          .place = limit.place};
}

/// Within both: the lower speed, and no more of it saved than either allows. Of two that are equal, the
/// template's.
std::optional<SpeedLimit> stricter(const std::optional<SpeedLimit>& of_template,
                                   const std::optional<SpeedLimit>& of_layers) {
  if (!of_template || !of_layers) return of_template ? of_template : of_layers;
  SpeedLimit limit = of_layers->speed_max < of_template->speed_max ? *of_layers : *of_template;
  limit.budget_ticks = std::min(of_layers->budget_ticks, of_template->budget_ticks);
  return limit;
}

}  // namespace

ObjectLimits::ObjectLimits(const MatchConfig& config, const collision::World& world, ObjectOwners& owners,
                           TemplateObjects& templates, bool is_stricter)
    : world_(world),
      owners_(owners),
      rights_(config),
      templates_(config, world, templates, is_stricter),
      objects_per_participant_max_(config.objects_per_participant_max),
      budgets_(config.budgets),
      playfield_(config.playfield),
      spreads_late_frames_(config.late_frames == LateFramePolicy::kSpread),
      is_stricter_(is_stricter) {
  for (std::uint32_t place = 0; place < config.layer_limits.size(); ++place) {
    const LayerLimits& limits = config.layer_limits[place];
    const std::uint64_t layer = layer_set_of(config, {limits.layer});
    const auto index = static_cast<std::size_t>(std::countr_zero(layer));
    if (limits.stay_in_playfield) indoor_layers_ |= layer;
    indoor_places_[index] = place;
    if (!limits.speed_max) continue;
    limited_layers_ |= layer;
    speed_limits_[index] = {*limits.speed_max, limits.speed_budget_ticks, place};
  }
}

std::optional<SpeedLimit> ObjectLimits::speed_limit_of(Parts parts) const {
  if (limited_layers_ == 0) return std::nullopt;
  std::optional<SpeedLimit> strictest;
  for (const Part& part : parts) {
    if (!has(limited_layers_, part.layer)) continue;
    const SpeedLimit& limit = speed_limits_[part.layer];
    if (!strictest || limit.speed_max < strictest->speed_max) strictest = limit;
  }
  return strictest;
}

std::optional<SpeedLimit> ObjectLimits::speed_limit_of(const std::optional<SpeedLimit>& of_template,
                                                       Parts parts) const {
  auto limit = stricter(of_template, speed_limit_of(parts));
  // As many ticks' way as ticks' frames apply in one: so late ones catch up, and standing still saves for no
  // leap.
  if (limit && spreads_late_frames_) limit->spent_ticks_max = kSpreadTicksMax;
  return limit;
}

std::optional<SpeedLimit> ObjectLimits::speed_limit_of(const ObjectView& object, Parts parts) const {
  return speed_limit_of(templates_.speed_limit_of(object.id), parts);
}

ObjectLimits::Verdict ObjectLimits::judge_count(const Participant& owner, std::size_t parts) const {
  const Rights& rights = rights_.of(owner);
  const std::uint32_t objects_max = std::min(rights.objects_max.value, objects_per_participant_max_);
  if (owners_.count_of(owner.number) >= objects_max) {
    return Refusal{
        .reason = RejectionReason::kTooManyObjects, .limit = objects_max, .place = rights.objects_max.place};
  }
  const std::uint64_t sum = owners_.part_count_of(owner.number) + std::uint64_t{parts};
  if (sum <= rights.parts_max.value) return std::nullopt;
  return too_many_parts(sum, rights);
}

ObjectLimits::Verdict ObjectLimits::judge_budgets(std::size_t objects, std::size_t parts) const {
  const std::uint64_t objects_sum = owners_.size() + objects;
  if (budgets_.objects_max && objects_sum > *budgets_.objects_max) {
    return Refusal{
        .reason = RejectionReason::kTooManyObjects, .is_of_match = true, .limit = *budgets_.objects_max};
  }
  const std::uint64_t parts_sum = owners_.part_count() + parts;
  if (!budgets_.parts_max || parts_sum <= *budgets_.parts_max) return std::nullopt;
  return Refusal{.reason = RejectionReason::kTooManyParts,
                 .is_of_match = true,
                 .found = parts_sum,
                 .limit = *budgets_.parts_max};
}

ObjectLimits::Verdict ObjectLimits::judge_layers(const Participant& owner, Parts parts) const {
  const Rights& rights = rights_.of(owner);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t layer = parts[i].layer;
    if (layer >= collision::kLayersMax || has(rights.layers, layer)) continue;
    return Refusal{.reason = RejectionReason::kLayerNotAllowed,
                   .part = static_cast<std::uint8_t>(std::min<std::size_t>(i, 255)),
                   .found = layer,
                   .place = rights.place};
  }
  return std::nullopt;
}

std::optional<Point> ObjectLimits::place_inside(const ObjectView& object) const {
  const Overhang is =
      overhang_of(object.parts, object.position, indoor_layers_, playfield_, world_.playfield_origin());
  const auto [left, top, right, bottom] = is.sides;
  const std::int64_t x = object.position.x + (left > 0 ? left : -right);
  const std::int64_t y = object.position.y + (top > 0 ? top : -bottom);
  const Point inside{static_cast<collision::Subunits>(x), static_cast<collision::Subunits>(y)};
  if (inside == object.position || inside.x != x || inside.y != y) return std::nullopt;
  return inside;
}

// Before the rules were stricter, the playfield scrolled away from under an object, which might come back
// step by step.
ObjectLimits::Verdict ObjectLimits::judge_place(const Body& before, const Body& after) const {
  if (indoor_layers_ == 0) return std::nullopt;
  const Point origin = world_.playfield_origin();
  const Overhang was = overhang_of(before.parts, before.position, indoor_layers_, playfield_, origin);
  const Overhang is = overhang_of(after.parts, after.position, indoor_layers_, playfield_, origin);
  for (std::size_t side = 0; side < is.sides.size(); ++side) {
    if (is.sides[side] <= was.sides[side]) continue;
    return Refusal{.reason = RejectionReason::kOutsidePlayfield,
                   .part = is.parts[side],
                   .found = static_cast<std::uint64_t>(is.sides[side]),
                   .limit = static_cast<std::uint64_t>(was.sides[side]),
                   .place = indoor_places_[after.parts[is.parts[side]].layer]};
  }
  return std::nullopt;
}

// What the world moves by itself it would move out of the playfield, and there is no frame to refuse.
ObjectLimits::Verdict ObjectLimits::judge_stillness(Parts parts, const collision::Motion& motion) const {
  if (indoor_layers_ == 0 || motion.is_still()) return std::nullopt;
  const auto indoor =
      std::ranges::find_if(parts, [&](const Part& part) { return has(indoor_layers_, part.layer); });
  if (indoor == parts.end()) return std::nullopt;
  return Refusal{.reason = RejectionReason::kOutsidePlayfield,
                 .part = static_cast<std::uint8_t>(indoor - parts.begin()),
                 .place = indoor_places_[indoor->layer]};
}

ObjectLimits::Verdict ObjectLimits::judge_speed(const SpeedLimit& limit, const collision::Motion& motion,
                                                Tick ticks) const {
  const auto peak = peak_speed(motion, std::max<Tick>(ticks, 1));
  if (peak && *peak <= limit.speed_max) return std::nullopt;
  return too_fast(limit, peak.value_or(Refusal::kWithoutEnd), limit.speed_max);
}

ObjectLimits::Verdict ObjectLimits::judge_spawn(const Participant& owner, collision::ObjectSpec& spec) {
  budget_.reset();
  if (auto refusal = templates_.judge_spawn(owner, spec)) return refusal;
  if (auto refusal = judge_count(owner, spec.parts.size())) return refusal;
  if (auto refusal = judge_budgets(1, spec.parts.size())) return refusal;
  if (auto refusal = judge_layers(owner, spec.parts)) return refusal;
  if (auto refusal = judge_stillness(spec.parts, spec.motion)) return refusal;
  if (auto refusal = judge_place({}, {spec.parts, spec.position})) return refusal;
  const auto limit = speed_limit_of(templates_.speed_limit_of_template(spec.kind), spec.parts);
  if (!limit) return std::nullopt;
  const Tick ticks = spec.time_to_live_ticks == 0 ? collision::kForever : spec.time_to_live_ticks;
  if (auto refusal = judge_speed(*limit, spec.motion, ticks)) return refusal;
  budget_.emplace(*limit, next_tick(), next_speed(spec.motion));
  return std::nullopt;
}

/// A frozen one may be released in the same tick, after it was moved. Of objects without a template that is
/// not counted: digests of matches that have been recorded depend on it.
std::uint64_t ObjectLimits::motion_speed_of(bool is_counted, const collision::Motion& motion) {
  return !is_counted || motion.is_still() ? 0 : next_speed(motion);
}

std::uint64_t ObjectLimits::motion_speed_of(const ObjectView& object, const collision::Motion& motion) const {
  return motion_speed_of(!object.is_frozen || templates_.has_template(object.id), motion);
}

void ObjectLimits::take_up_budget(const SpeedLimit& limit, std::uint64_t motion_speed) {
  const SpeedBudget* kept = owners_.find_budget(judged_);
  limit_ = limit;
  budget_ = kept != nullptr ? *kept : SpeedBudget(limit, next_tick(), motion_speed);
  if (kept != nullptr) budget_->settle(limit, next_tick(), motion_speed);
}

std::uint64_t ObjectLimits::distance(Parts before, Parts after) const {
  const auto from = middle_of(before, limited_layers_);
  const auto to = middle_of(after, limited_layers_);
  if (!from || !to) return 0;
  return (length_of(to->x - from->x, to->y - from->y) + 1) / 2;
}

ObjectLimits::Verdict ObjectLimits::judge_parts(const ObjectView& object, Parts parts) {
  judged_ = world_.slot_of(object.id);
  budget_.reset();
  if (auto refusal = templates_.judge_parts(object.id, parts)) return refusal;
  if (auto refusal = judge_stillness(parts, object.motion)) return refusal;
  if (auto refusal = judge_place({object.parts, object.position}, {parts, object.position})) return refusal;
  const auto limit = speed_limit_of(object, parts);
  if (!limit) return std::nullopt;
  const Tick ticks =
      object.expires_at == collision::kForever ? collision::kForever : object.expires_at - next_tick();
  if (auto refusal = judge_speed(*limit, object.motion, ticks)) return refusal;
  take_up_budget(*limit, motion_speed_of(object, object.motion));
  const std::uint64_t length = distance(object.parts, parts);
  if (budget_->take(*limit, length)) return std::nullopt;
  return too_fast(*limit, length, budget_->left(*limit));
}

ObjectLimits::Verdict ObjectLimits::judge_reshape(const Participant& owner, ObjectId id, Parts parts) {
  const auto object = world_.find(id);
  SWEEPD_ASSERT(object.has_value());
  if (auto refusal = judge_layers(owner, parts)) return refusal;
  const Rights& rights = rights_.of(owner);
  const std::uint64_t sum = owners_.part_count_of(owner.number) - object->parts.size() + parts.size();
  if (parts.size() > object->parts.size() && sum > rights.parts_max.value) {
    return too_many_parts(sum, rights);
  }
  if (parts.size() > object->parts.size()) {
    if (auto refusal = judge_budgets(0, parts.size() - object->parts.size())) return refusal;
  }
  return judge_parts(*object, parts);
}

ObjectLimits::Verdict ObjectLimits::judge_layer_change(const Participant& owner, const LayerChange& change) {
  const auto object = world_.find(change.object);
  SWEEPD_ASSERT(object.has_value());
  judged_ = world_.slot_of(change.object);
  budget_.reset();
  if (change.layer >= collision::kLayersMax || change.part.value_or(0) >= object->parts.size())
    return std::nullopt;
  std::vector<Part> parts(object->parts.begin(), object->parts.end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!change.part || *change.part == i) parts[i].layer = static_cast<collision::LayerId>(change.layer);
  }
  if (!has(rights_.of(owner).layers, change.layer)) {
    return Refusal{
        .reason = RejectionReason::kLayerNotAllowed, .found = change.layer, .place = rights_.of(owner).place};
  }
  return judge_parts(*object, parts);
}

ObjectLimits::Verdict ObjectLimits::judge_move(const Move& move, ObjectSlot slot) {
  judged_ = slot;
  budget_.reset();
  const TemplateNumber number = templates_.template_at(slot);
  if (templates_.has_any_ballistic()) {
    if (auto refusal = templates_.judge_steering_of(number)) return refusal;
  }
  const collision::Bearing object = world_.bearing_at(slot);
  if (auto refusal = judge_place({object.parts, object.position}, {object.parts, move.position}))
    return refusal;
  const auto limit = speed_limit_of(templates_.speed_limit_of_template(number), object.parts);
  if (!limit) return std::nullopt;
  take_up_budget(*limit, motion_speed_of(!object.is_frozen || number != kNoTemplate, object.motion));
  const std::uint64_t length = length_of(std::int64_t{move.position.x} - object.position.x,
                                         std::int64_t{move.position.y} - object.position.y);
  if (budget_->take(*limit, length)) return std::nullopt;
  return too_fast(*limit, length, budget_->left(*limit));
}

ObjectLimits::Verdict ObjectLimits::judge_teleport(const Participant& owner, const Move& teleport) {
  judged_ = world_.slot_of(teleport.object);
  budget_.reset();
  const auto object = world_.find(teleport.object);
  SWEEPD_ASSERT(object.has_value());
  const auto limit = speed_limit_of(*object, object->parts);
  if (auto refusal = templates_.judge_teleport(teleport.object)) return refusal;
  const bool is_free = !speed_limit_of(object->parts);
  if (!rights_.of(owner).may_teleport.value_or(is_free))
    return Refusal{.reason = RejectionReason::kMayNotTeleport, .place = rights_.of(owner).place};
  if (limit) take_up_budget(*limit, motion_speed_of(*object, object->motion));
  return judge_place({object->parts, object->position}, {object->parts, teleport.position});
}

ObjectLimits::Verdict ObjectLimits::judge_motion(const MotionChange& change) {
  judged_ = world_.slot_of(change.object);
  budget_.reset();
  if (auto refusal = templates_.judge_motion(change.object, change.motion)) return refusal;
  if (!has_any_for_moves()) return std::nullopt;
  const auto object = world_.find(change.object);
  SWEEPD_ASSERT(object.has_value());
  if (auto refusal = judge_stillness(object->parts, change.motion)) return refusal;
  const auto limit = speed_limit_of(*object, object->parts);
  if (!limit) return std::nullopt;
  const Tick ticks =
      object->expires_at == collision::kForever ? collision::kForever : object->expires_at - next_tick();
  if (auto refusal = judge_speed(*limit, change.motion, ticks)) return refusal;
  take_up_budget(*limit, motion_speed_of(*object, object->motion));
  const std::uint64_t speed = motion_speed_of(*object, change.motion);
  if (budget_->change_motion(*limit, speed)) return std::nullopt;
  return too_fast(*limit, speed, budget_->left(*limit) + motion_speed_of(*object, object->motion));
}

ObjectLimits::Verdict ObjectLimits::judge_transfer(const Participant& receiver, ObjectId object) const {
  if (auto refusal = templates_.judge_transfer(receiver, object)) return refusal;
  return judge_count(receiver, owners_.part_count_in(object));
}

bool ObjectLimits::accept() {
  keep_budget();
  return spreads_late_frames_ && budget_ && budget_->takes_of_savings(limit_);
}

void ObjectLimits::keep_budget() {
  if (!has_speed_limits()) return;
  if (budget_) {
    owners_.set_budget(judged_, *budget_);
  } else {
    owners_.remove_budget(judged_);
  }
}

}  // namespace sweepd::match
