// SPDX-License-Identifier: MIT
#include "sweepd/session.h"

#include <algorithm>

#include "session_impl.h"

namespace sweepd {

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

std::shared_ptr<Session::Impl> Session::Impl::join_also(const std::string& name, Role role,
                                                        const std::string& reconnect_token) {
  const auto token = internal::token_of(reconnect_token);
  const auto seat = std::make_shared<internal::PlaySeat>(name, role, token.value_or(""));
  if (!token && !reconnect_token.empty()) {
    seat->fail(internal::malformed_token());
  } else if (stream_->is_shared()) {
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
  return it == on_stream_->end() ? nullptr : &(*it)->ids();
}

Status Session::Impl::end_frame(Tick tick) {
  if (Status status = check_joined(); !status.ok()) return status;
  Status status = stream_->send(tick, {seat_.get(), &draft_.frame});
  if (status.ok()) ids().frame_sent();
  return status;
}

Status Session::Impl::end_frames(Tick tick) {
  std::vector<internal::PlayStream::OpenFrame> frames;
  for (Impl* one : *on_stream_) {
    if (one->check_joined().ok()) frames.push_back({one->seat_.get(), &one->draft_.frame});
  }
  if (frames.empty()) return check_joined();
  if (Status status = stream_->send(tick, frames); !status.ok()) return status;
  for (Impl* one : *on_stream_) one->ids().frame_sent();
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
    const bool has_ids = seat.first_id != 0;
    draft_ = {config, has_ids ? internal::ObjectIds(seat.first_id, seat.last_id, seat_->first_id_skip)
                              : internal::ObjectIds()};
    has_seat_ = true;
  }
  return {};
}

internal::FrameDraft* Session::Impl::draft(Status* why) {
  *why = check_joined();
  return why->ok() ? &draft_ : nullptr;
}

std::string Session::Impl::all_ids(const internal::ObjectIds& block) const {
  return "from " + std::to_string(block.first()) + " to " + std::to_string(block.last());
}

Status Session::Impl::control_clock(const ClockControl& control) {
  if (Status status = check_joined(); !status.ok()) return status;
  return stream().send(control);
}

Status Session::Impl::ask_for_world(const WorldInterest& interest) {
  if (Status why = check_joined(); !why.ok()) return why;
  return stream().send(interest);
}

Status Session::Impl::refresh_ticket(const std::string& ticket) {
  if (Status status = check_joined(); !status.ok()) return status;
  return stream().send_ticket(ticket);
}

Session::Session(std::shared_ptr<Impl> impl)
    : FrameAuthor(impl), MatchFeed({impl, &impl->subscription()}), impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

SessionState Session::state() const { return impl_->state(); }
Status Session::error() const { return impl_->error(); }
std::optional<Participant> Session::participant() const { return impl_->participant(); }
std::vector<Encounter> Session::encounters_at_join() const { return impl_->subscription().encounters(); }

Status Session::end_frame(Tick tick) { return impl_->end_frame(tick); }
Status Session::end_frames(Tick tick) { return impl_->end_frames(tick); }

Session Session::join_also(const std::string& name, Role role, const std::string& reconnect_token) {
  return Session(impl_->join_also(name, role, reconnect_token));
}

std::string Session::reconnect_token() const { return impl_->reconnect_token(); }

std::optional<ClaimVerdict> Session::poll_verdict() { return impl_->subscription().take_verdict(); }

std::optional<Rejection> Session::poll_rejection() {
  std::optional<Rejection> rejection = impl_->subscription().inbox().take_rejection();
  // A spawn that was refused holds no id, unless it was refused because the id is in use.
  if (rejection && rejection->field.starts_with("spawns[") && rejection->reason != "ID_IN_USE") {
    if (auto* ids = impl_->ids_of(rejection->participant)) ids->refused(rejection->object);
  }
  return rejection;
}

std::uint64_t Session::rejections_not_listed() const { return impl_->subscription().rejections_not_listed(); }

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

Status Session::ask_for_world(const WorldInterest& interest) { return impl_->ask_for_world(interest); }
Status Session::refresh_ticket(const std::string& ticket) { return impl_->refresh_ticket(ticket); }

std::size_t Session::unsent_frames() const { return impl_->stream().unsent_frames(); }

void Session::leave() { impl_->leave(); }

std::optional<Reconnection> Session::poll_reconnection() {
  std::optional<Reconnection> reconnection = impl_->subscription().take_reconnection();
  if (reconnection && reconnection->undone) {
    for (Impl* one : impl_->on_stream()) one->ids().any_may_be_gone();
  }
  return reconnection;
}

}  // namespace sweepd
