// SPDX-License-Identifier: MIT
#include "play_stream.h"

#include "clock_codec.h"
#include "stream_codec.h"

namespace sweepd::internal {
namespace {

constexpr std::size_t kSparesMax = 4;
constexpr std::chrono::milliseconds kLeaveTimeout{2'000};
constexpr std::chrono::milliseconds kAbandonTimeout{200};

}  // namespace

PlayStream::PlayStream(Network* network, Route route, const JoinOptions& options)
    : MatchStream(network, std::move(route), options.reconnect,
                  {options.events_queued_max, holds_back(options.filter)}),
      write_(this, [this](bool ok) { has_written(ok); }),
      options_(options) {}

PlayStream::Request PlayStream::join_request() {
  auto request = std::make_unique<v1::PlayRequest>();
  v1::Join* join = request->mutable_join();
  join->set_match_id(options_.match_id);
  join->set_name(options_.name);
  join->set_role(encode(options_.role));
  encode(options_.filter, join->mutable_filter());
  encode(options_.queue_policy, join->mutable_queue_policy());
  if (!token_.empty()) {
    join->set_reconnect_token(token_);
    subscription().write_resume_point(join->mutable_resume());
  }
  return request;
}

Status PlayStream::send(Tick tick, FrameBuilder* frame) {
  Request request;
  {
    const std::lock_guard lock(mutex_);
    if (Status status = check_room(); !status.ok()) return status;
    request = take_spare();
  }
  // Not under the lock, for the network's thread's sake. The room stays: nobody else puts frames in.
  frame->finish(tick, subscription().tick(), request->mutable_frame());
  queue(std::move(request));
  return {};
}

Status PlayStream::send(const ClockControl& control) {
  {
    const std::lock_guard lock(mutex_);
    if (Status status = check_room(); !status.ok()) return status;
  }
  auto request = std::make_unique<v1::PlayRequest>();
  encode(control, request->mutable_clock_control());
  queue(std::move(request));
  return {};
}

void PlayStream::queue(Request request) {
  {
    const std::lock_guard lock(mutex_);
    queued_.push_back(std::move(request));
    if (flush_posted_) return;
    flush_posted_ = true;
  }
  network().post([this, self = shared_from_this()] { flush(); });
}

Status PlayStream::check_room() const {
  if (unsent() < options_.frames_queued_max) return {};
  return {ErrorCode::kQueueFull, std::to_string(unsent()) + " frames wait for the connection"};
}

std::size_t PlayStream::unsent_frames() {
  const std::lock_guard lock(mutex_);
  return unsent();
}

std::size_t PlayStream::unsent() const {
  return queued_.size() + (writing_ != nullptr && writing_->has_frame() ? 1 : 0);
}

PlayStream::Request PlayStream::take_spare() {
  if (spare_.empty()) return std::make_unique<v1::PlayRequest>();
  Request request = std::move(spare_.back());
  spare_.pop_back();
  return request;
}

void PlayStream::leave() { end_with(true); }
void PlayStream::abandon() { end_with(false); }

void PlayStream::end_with(bool sends_what_waits) {
  const bool was_joined = subscription().state() == SessionState::kJoined;
  subscription().leave();
  if (!was_joined && !leaving_began_) return cancel();
  leaving_began_ = true;
  network().post([this, self = shared_from_this(), sends_what_waits] {
    // It broke meanwhile, and is not coming back any more.
    if (!is_seated_) return cancel_now();
    if (!sends_what_waits) {
      const std::lock_guard lock(mutex_);
      queued_.clear();
    }
    close_writes(sends_what_waits ? kLeaveTimeout : kAbandonTimeout);
  });
}

void PlayStream::begin_call(Service::Stub* stub, grpc::ClientContext* context, void* started) {
  call_ = stub->AsyncPlay(context, network().queue(), started);
}

void PlayStream::call_started() {
  may_write_ = true;
  is_seated_ = false;
  moves_.reset();
  {
    const std::lock_guard lock(mutex_);
    writing_ = join_request();
  }
  call_->Write(*writing_, write_.begin());
}

void PlayStream::finish_call(grpc::Status* status, void* finished) {
  may_write_ = false;
  is_seated_ = false;
  call_->Finish(status, finished);
}

void PlayStream::flush() {
  {
    const std::lock_guard lock(mutex_);
    flush_posted_ = false;
  }
  write_next();
}

void PlayStream::close_writes(std::chrono::milliseconds patience) {
  leaving_ = true;
  if (!may_write_) return;
  cancel_after(patience);
  write_next();
}

void PlayStream::write_next() {
  if (!may_write_ || !is_seated_ || write_.is_under_way()) return;
  if (take_next()) {
    if (writing_->has_frame()) moves_.encode(writing_->mutable_frame());
    call_->Write(*writing_, write_.begin());
  } else if (leaving_) {
    may_write_ = false;
    {
      const std::lock_guard lock(mutex_);
      writing_ = std::make_unique<v1::PlayRequest>();
      writing_->mutable_leave();
    }
    call_->WriteLast(*writing_, {}, write_.begin());
  }
}

bool PlayStream::take_next() {
  const std::lock_guard lock(mutex_);
  if (queued_.empty()) return false;
  writing_ = std::move(queued_.front());
  queued_.pop_front();
  return true;
}

void PlayStream::has_written(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    // What was not written whole may have arrived all the same: sent again, it would apply twice.
    if (ok && writing_->has_frame() && spare_.size() < kSparesMax) spare_.push_back(std::move(writing_));
    writing_.reset();
  }
  // A broken stream is seen by the read, too, which ends it.
  if (ok) write_next();
}

bool PlayStream::receive() {
  switch (response_.message_case()) {
    case v1::PlayResponse::kJoined:
      return receive(response_.joined());
    case v1::PlayResponse::kUpdate:
      return subscription().update(response_.update()).ok();
    case v1::PlayResponse::kEnded:
      subscription().end();
      return true;
    // A kind of message that a newer server knows.
    case v1::PlayResponse::MESSAGE_NOT_SET:
      return true;
  }
  return true;
}

bool PlayStream::receive(const v1::Joined& response) {
  token_ = response.reconnect_token();
  reconnect_ticks_ = response.match().config().reconnect_ticks();
  if (!joined({response.match(), response.open_encounters(), &response.participant(), response.epoch(),
               response.resumed(),
               response.has_undone() ? std::optional(decode(response.undone())) : std::nullopt})) {
    return false;
  }
  is_seated_ = true;
  write_next();
  return true;
}

}  // namespace sweepd::internal
