// SPDX-License-Identifier: MIT
#include "sweepd/session.h"

#include <algorithm>

#include "session_impl.h"

namespace sweepd {
namespace {

Status status_of(const internal::Checked& error) { return error ? error->status() : Status(); }

Status invalid_id(ObjectId id, const internal::ObjectIds& ids) {
  return {ErrorCode::kInvalidArgument,
          "id is " + std::to_string(id) + "; the session's block is " + std::to_string(ids.first()) + " to " +
              std::to_string(ids.last()),
          {},
          "id"};
}

}  // namespace

Session::Impl::~Impl() {
  std::erase(*on_stream_, this);
  if (has_company()) {
    stream_->leave(*seat_);
  } else if (!seat_->is_over() || on_stream_->empty()) {
    stream_->abandon();
  }  // Else it has left, and another's frames may still be on their way.
}

/// Others go on with the stream.
bool Session::Impl::has_company() const {
  return std::ranges::any_of(*on_stream_,
                             [this](const Impl* other) { return other != this && !other->seat_->is_over(); });
}

void Session::Impl::leave() {
  if (subscription().is_over()) return stream_->leave();  // However it ended, that stays.
  if (has_company()) return stream_->leave(*seat_);
  seat_->leave();
  stream_->leave();
}

Status Session::Impl::error() {
  Status own = seat_->error();
  return own.ok() ? subscription().error() : own;
}

std::shared_ptr<Session::Impl> Session::Impl::join_also(const std::string& name, Role role) {
  const auto seat = std::make_shared<internal::PlaySeat>(name, role);
  if (stream_->is_shared()) {
    stream_->add(seat);
  } else {
    seat->fail({ErrorCode::kFailedPrecondition, "the session was joined without JoinOptions::shared"});
  }
  return std::make_shared<Impl>(network_, stream_, seat, on_stream_);
}

std::optional<Participant> Session::Impl::participant() {
  const std::optional<ParticipantNumber> number = seat_->number();
  return number ? subscription().seat(*number) : std::nullopt;
}

internal::ObjectIds* Session::Impl::ids_of(std::optional<ParticipantNumber> number) {
  // One that has left may have had the same number.
  const auto it = std::ranges::find_if(*on_stream_, [number](const Impl* one) {
    return !one->seat_->is_over() && (!number || one->seat_->number() == number);
  });
  return it == on_stream_->end() ? nullptr : &(*it)->ids_;
}

Status Session::Impl::end_frame(Tick tick) {
  if (Status status = check_joined(); !status.ok()) return status;
  Status status = stream_->send(tick, {seat_.get(), &frame_});
  if (status.ok()) ids_.frame_sent();
  return status;
}

Status Session::Impl::end_frames(Tick tick) {
  std::vector<internal::PlayStream::OpenFrame> frames;
  for (Impl* one : *on_stream_) {
    if (one->check_joined().ok()) frames.push_back({one->seat_.get(), &one->frame_});
  }
  if (frames.empty()) return check_joined();
  if (Status status = stream_->send(tick, frames); !status.ok()) return status;
  for (Impl* one : *on_stream_) one->ids_.frame_sent();
  return {};
}

bool Session::Impl::is_joined() {
  const SessionState now = state();
  return now == SessionState::kJoined || now == SessionState::kReconnecting;
}

Status Session::Impl::check_joined() {
  if (!is_joined()) {
    return {ErrorCode::kNotJoined, "the session has no seat in the match"};
  }
  if (!has_seat_) {
    const Participant seat = participant().value();
    const MatchConfig config = subscription().match().value().config;
    ids_ = seat.first_id == 0 ? internal::ObjectIds() : internal::ObjectIds(seat.first_id, seat.last_id);
    frame_ = internal::FrameBuilder({.layer_count = static_cast<std::uint32_t>(config.layers.size()),
                                     .mask_count = static_cast<std::uint32_t>(config.masks.size())});
    for (const std::string& layer : config.layers) {
      clearable_layers_.push_back(std::ranges::find(config.clearable_layers, layer) !=
                                  config.clearable_layers.end());
    }
    has_seat_ = true;
  }
  return {};
}

bool Session::Impl::ends_by_itself(const ObjectSpec& spec) const {
  const bool is_clearable = std::ranges::any_of(spec.parts, [this](const Part& part) {
    return part.layer < clearable_layers_.size() && clearable_layers_[part.layer];
  });
  return is_clearable || spec.time_to_live_ticks != 0 || spec.despawn_outside_playfield || spec.single_use ||
         spec.hit_points != 0;
}

Status Session::Impl::check_change(ObjectId id) {
  if (Status status = check_joined(); !status.ok()) return status;
  if (id == 0) return {ErrorCode::kUnknownObject, "id is 0, which names no object", {}, "id"};
  return {};
}

Status Session::Impl::control_clock(const ClockControl& control) {
  if (Status status = check_joined(); !status.ok()) return status;
  return stream().send(control);
}

Result<ObjectId> Session::Impl::choose_id(ObjectId wanted) {
  if (ids_.empty()) {
    return Status(ErrorCode::kFailedPrecondition, "an observer has no object ids: it spawns nothing");
  }
  if (wanted == 0) {
    if (const ObjectId id = ids_.next_free(); id != 0) return id;
    return Status(ErrorCode::kOutOfIds, "every object id from " + std::to_string(ids_.first()) + " to " +
                                            std::to_string(ids_.last()) + " is in use");
  }
  if (!ids_.contains(wanted)) return invalid_id(wanted, ids_);
  if (ids_.in_use(wanted)) {
    return Status(ErrorCode::kIdInUse,
                  "id " + std::to_string(wanted) + " is in use, or was until this very frame", {}, "id");
  }
  return wanted;
}

Session::Session(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

SessionState Session::state() const { return impl_->state(); }
Status Session::error() const { return impl_->error(); }
std::optional<Participant> Session::participant() const { return impl_->participant(); }
std::optional<MatchInfo> Session::match() const { return impl_->subscription().match(); }
std::vector<Encounter> Session::encounters_at_join() const { return impl_->subscription().encounters(); }
Tick Session::tick() const { return impl_->subscription().tick(); }
std::uint64_t Session::digest() const { return impl_->subscription().digest(); }

Tick Session::digest_tick() const { return impl_->subscription().digest_tick(); }
Tick Session::durable_tick() const { return impl_->subscription().durable_tick(); }

ClockState Session::clock() const { return impl_->subscription().clock(); }

Result<ObjectId> Session::spawn(const ObjectSpec& spec) {
  if (Status status = impl_->check_joined(); !status.ok()) return status;
  Result<ObjectId> id = impl_->choose_id(spec.id);
  if (!id) return id;
  if (auto error = impl_->frame().spawn(*id, spec)) return error->status();
  impl_->ids().spawned(*id, impl_->ends_by_itself(spec));
  return id;
}

Status Session::reshape(ObjectId id, const std::vector<Part>& parts) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  return status_of(impl_->frame().reshape(id, parts));
}

Status Session::change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  return status_of(impl_->frame().change_layer(id, layer, part));
}

Status Session::move(ObjectId id, Vec2 position) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  return status_of(impl_->frame().move(id, position));
}

Status Session::teleport(ObjectId id, Vec2 position) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  return status_of(impl_->frame().teleport(id, position));
}

Status Session::despawn_all(const Selection& selection) {
  if (Status status = impl_->check_joined(); !status.ok()) return status;
  const Status status = status_of(impl_->frame().despawn_all(selection));
  if (status.ok()) impl_->ids().any_may_be_gone();
  return status;
}

Status Session::freeze(const Selection& selection) {
  if (Status status = impl_->check_joined(); !status.ok()) return status;
  return status_of(impl_->frame().freeze(selection));
}

Status Session::release(const Selection& selection) {
  if (Status status = impl_->check_joined(); !status.ok()) return status;
  return status_of(impl_->frame().release(selection));
}

Status Session::transfer(const std::vector<ObjectId>& ids, ParticipantNumber to, bool with_stage) {
  if (Status status = impl_->check_joined(); !status.ok()) return status;
  impl_->frame().transfer(ids, to, with_stage);
  if (ids.empty()) impl_->ids().any_may_be_gone();
  for (const ObjectId id : ids) impl_->ids().given_away(id);
  return {};
}

Status Session::scroll_to(Vec2 origin) {
  if (Status status = impl_->check_joined(); !status.ok()) return status;
  return status_of(impl_->frame().scroll_to(origin));
}

Status Session::set_motion(ObjectId id, const Motion& motion) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  return status_of(impl_->frame().set_motion(id, motion));
}

Status Session::disable(ObjectId id, Tick until_tick) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  impl_->frame().disable(id, until_tick);
  return {};
}

Status Session::enable(ObjectId id) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  impl_->frame().enable(id);
  return {};
}

Status Session::despawn(ObjectId id) {
  if (Status status = impl_->check_change(id); !status.ok()) return status;
  impl_->frame().despawn(id);
  impl_->ids().despawned(id);
  return {};
}

Status Session::end_frame(Tick tick) { return impl_->end_frame(tick); }
Status Session::end_frames(Tick tick) { return impl_->end_frames(tick); }

Session Session::join_also(const std::string& name, Role role) {
  return Session(impl_->join_also(name, role));
}

std::vector<Score> Session::scores() const { return impl_->subscription().scores(); }

std::optional<Event> Session::poll_event() { return impl_->subscription().inbox().take_event(); }

std::optional<OwnerChange> Session::poll_owner_change() { return impl_->subscription().take_owner_change(); }

std::optional<Destruction> Session::poll_destruction() { return impl_->subscription().take_destruction(); }
Result<std::uint32_t> Session::claim_hit(ObjectId shot, ObjectId target, Tick tick_seen, double tolerance) {
  HitClaim claim{.shot = shot, .target = target, .tick_seen = tick_seen, .tolerance = tolerance};
  return claim_hit(claim);
}

Result<std::uint32_t> Session::claim_hit(HitClaim claim) {
  if (Status status = impl_->check_joined(); !status.ok()) return status;
  claim.number = impl_->next_claim_number();
  if (auto error = impl_->frame().claim(claim)) return error->status();
  return claim.number;
}

std::optional<ClaimVerdict> Session::poll_verdict() { return impl_->subscription().take_verdict(); }

std::optional<ClaimVerdict> Session::poll_claim_warning() { return impl_->subscription().take_warning(); }

std::optional<Rejection> Session::poll_rejection() {
  std::optional<Rejection> rejection = impl_->subscription().inbox().take_rejection();
  // A spawn that was refused holds no id, unless it was refused because somebody has it.
  if (rejection && rejection->field.starts_with("spawns[") && rejection->reason != "ID_IN_USE") {
    if (auto* ids = impl_->ids_of(rejection->participant)) ids->refused(rejection->object);
  }
  return rejection;
}

std::uint64_t Session::rejections_not_listed() const { return impl_->subscription().rejections_not_listed(); }

std::optional<LateReport> Session::poll_late() { return impl_->subscription().take_late(); }

Status Session::pause() { return impl_->control_clock({.paused = true}); }
Status Session::resume() { return impl_->control_clock({.paused = false}); }

Status Session::set_tick_rate(std::uint32_t tick_rate_hz) {
  if (tick_rate_hz < 1 || tick_rate_hz > 240) {
    return {ErrorCode::kOutOfRange,
            "tick_rate_hz is " + std::to_string(tick_rate_hz) + "; 1 to 240 are allowed",
            {},
            "tick_rate_hz"};
  }
  return impl_->control_clock({.tick_rate_hz = tick_rate_hz});
}

std::size_t Session::unsent_frames() const { return impl_->stream().unsent_frames(); }

void Session::leave() { impl_->leave(); }

std::optional<Reconnection> Session::poll_reconnection() {
  std::optional<Reconnection> reconnection = impl_->subscription().take_reconnection();
  if (reconnection && reconnection->undone) {
    for (Impl* one : impl_->on_stream()) one->ids().any_may_be_gone();
  }
  return reconnection;
}

std::optional<EncounterSnapshot> Session::poll_snapshot() { return impl_->subscription().take_snapshot(); }
std::optional<EventGap> Session::poll_gap() { return impl_->subscription().take_gap(); }
std::optional<Stays> Session::poll_stays() { return impl_->subscription().take_stays(); }

std::vector<ParticipantNumber> Session::participants_away() const {
  return impl_->subscription().participants_away();
}

}  // namespace sweepd
