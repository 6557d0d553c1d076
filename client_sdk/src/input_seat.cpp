// SPDX-License-Identifier: MIT
#include <algorithm>

#include "input_log_impl.h"

namespace sweepd {
namespace {

Status no_seat() { return {ErrorCode::kNotJoined, "the participant has left, or the log is finished"}; }
Status no_object() { return {ErrorCode::kUnknownObject, "id is 0, which names no object", {}, "id"}; }

Status status_of(const internal::Checked& error) { return error ? error->status() : Status(); }

}  // namespace

bool InputLog::Impl::ends_by_itself(const ObjectSpec& spec) const {
  const bool is_clearable = std::ranges::any_of(spec.parts, [this](const Part& part) {
    return part.layer < config_.layers.size() &&
           std::ranges::find(config_.clearable_layers, config_.layers[part.layer]) !=
               config_.clearable_layers.end();
  });
  return is_clearable || spec.time_to_live_ticks != 0 || spec.despawn_outside_playfield || spec.single_use ||
         spec.hit_points != 0;
}

Result<ObjectId> InputLog::Impl::choose_id(Seat& seat, ObjectId wanted) {
  if (seat.ids.empty()) {
    return Status(ErrorCode::kFailedPrecondition, "an observer has no object ids: it spawns nothing");
  }
  if (wanted == 0) {
    if (const ObjectId id = seat.ids.next_free(); id != 0) return id;
    return Status(ErrorCode::kOutOfIds, "every object id of the participant's block is in use");
  }
  if (!seat.ids.contains(wanted)) {
    return Status(ErrorCode::kInvalidArgument,
                  "id is " + std::to_string(wanted) + "; the participant's block is " +
                      std::to_string(seat.ids.first()) + " to " + std::to_string(seat.ids.last()),
                  {}, "id");
  }
  if (seat.ids.in_use(wanted)) {
    return Status(ErrorCode::kIdInUse,
                  "id " + std::to_string(wanted) + " is in use, or was until this very frame", {}, "id");
  }
  return wanted;
}

ObjectId InputSeat::first_id() const {
  const auto* seat = log_->find(number_);
  return seat == nullptr ? 0 : seat->ids.first();
}

ObjectId InputSeat::last_id() const {
  const auto* seat = log_->find(number_);
  return seat == nullptr ? 0 : seat->ids.last();
}

Result<ObjectId> InputSeat::spawn(const ObjectSpec& spec) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  Result<ObjectId> id = log_->choose_id(*seat, spec.id);
  if (!id) return id;
  if (auto error = seat->frame.spawn(*id, spec)) return error->status();
  seat->ids.spawned(*id, log_->ends_by_itself(spec));
  return id;
}

Status InputSeat::reshape(ObjectId id, const std::vector<Part>& parts) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  return id == 0 ? no_object() : status_of(seat->frame.reshape(id, parts));
}

Status InputSeat::change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  return id == 0 ? no_object() : status_of(seat->frame.change_layer(id, layer, part));
}

Status InputSeat::move(ObjectId id, Vec2 position) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  return id == 0 ? no_object() : status_of(seat->frame.move(id, position));
}

Status InputSeat::teleport(ObjectId id, Vec2 position) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  return id == 0 ? no_object() : status_of(seat->frame.teleport(id, position));
}

Status InputSeat::set_motion(ObjectId id, const Motion& motion) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  return id == 0 ? no_object() : status_of(seat->frame.set_motion(id, motion));
}

Status InputSeat::disable(ObjectId id, Tick until_tick) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  if (id == 0) return no_object();
  seat->frame.disable(id, until_tick);
  return {};
}

Status InputSeat::enable(ObjectId id) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  if (id == 0) return no_object();
  seat->frame.enable(id);
  return {};
}

Status InputSeat::despawn(ObjectId id) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  if (id == 0) return no_object();
  seat->frame.despawn(id);
  seat->ids.despawned(id);
  return {};
}

Status InputSeat::despawn_all(const Selection& selection) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  const Status status = status_of(seat->frame.despawn_all(selection));
  if (status.ok()) seat->ids.any_may_be_gone();
  return status;
}

Status InputSeat::freeze(const Selection& selection) {
  auto* seat = log_->find(number_);
  return seat == nullptr ? no_seat() : status_of(seat->frame.freeze(selection));
}

Status InputSeat::release(const Selection& selection) {
  auto* seat = log_->find(number_);
  return seat == nullptr ? no_seat() : status_of(seat->frame.release(selection));
}

Status InputSeat::transfer(const std::vector<ObjectId>& ids, ParticipantNumber to, bool with_stage) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  seat->frame.transfer(ids, to, with_stage);
  if (ids.empty()) seat->ids.any_may_be_gone();
  for (const ObjectId id : ids) seat->ids.given_away(id);
  return {};
}

Status InputSeat::scroll_to(Vec2 origin) {
  auto* seat = log_->find(number_);
  return seat == nullptr ? no_seat() : status_of(seat->frame.scroll_to(origin));
}

Result<std::uint32_t> InputSeat::claim_hit(ObjectId shot, ObjectId target, Tick tick_seen, double tolerance) {
  auto* seat = log_->find(number_);
  if (seat == nullptr) return no_seat();
  HitClaim claim{.shot = shot, .target = target, .tick_seen = tick_seen, .tolerance = tolerance};
  claim.number = ++seat->last_claim_number;
  if (auto error = seat->frame.claim(claim)) return error->status();
  return claim.number;
}

Status InputSeat::end_frame(Tick tick) {
  return log_->find(number_) == nullptr ? no_seat() : log_->add_frame(number_, tick);
}

Status InputSeat::leave() { return log_->find(number_) == nullptr ? no_seat() : log_->leave(number_); }

}  // namespace sweepd
