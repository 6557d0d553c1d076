// SPDX-License-Identifier: MIT
#include "play_stream.h"

#include "match_codec.h"

namespace sweepd::internal {
namespace {

constexpr std::size_t kSparesMax = 4;
constexpr std::chrono::seconds kLeaveTimeout{2};

}  // namespace

PlayStream::PlayStream(Route route, const JoinOptions& options)
    : MatchStream(std::move(route), options.events_queued_max), frames_queued_max_(options.frames_queued_max) {
  writing_ = std::make_unique<v1::PlayRequest>();
  v1::Join* join = writing_->mutable_join();
  join->set_match_id(options.match_id);
  join->set_name(options.name);
  join->set_role(encode(options.role));
}

void PlayStream::begin_call(Service::Stub* stub, grpc::ClientContext* context) {
  stub->async()->Play(context, this);
  AddHold();
  holds_ = true;
  StartRead(&response_);
  StartWrite(writing_.get());
  StartCall();
}

Status PlayStream::send(Tick tick, FrameBuilder* frame) {
  Request request;
  {
    const std::lock_guard lock(mutex_);
    if (unsent() >= frames_queued_max_) {
      return {ErrorCode::kQueueFull, std::to_string(unsent()) + " frames wait for the connection"};
    }
    request = take_spare();
  }
  // Not under the lock, for the stream's thread's sake. The room stays: nobody else puts frames in.
  frame->finish(tick, subscription().tick(), request->mutable_frame());
  const std::lock_guard lock(mutex_);
  if (!holds_) return {ErrorCode::kNotJoined, "the stream is over"};
  queued_.push_back(std::move(request));
  write_next();
  return {};
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

void PlayStream::leave() {
  const bool was_joined = subscription().state() == SessionState::kJoined;
  subscription().leave();
  if (!was_joined) return cancel();
  leave_alarm_.Set(std::chrono::system_clock::now() + kLeaveTimeout, [weak = weak_from_this()](bool expired) {
    if (!expired) return;
    if (const auto stream = weak.lock()) stream->cancel();
  });
  const std::lock_guard lock(mutex_);
  leaving_ = true;
  if (holds_) write_next();
  release_hold();
}

void PlayStream::write_next() {
  if (writing_ != nullptr || writes_closed_) return;
  if (!queued_.empty()) {
    writing_ = std::move(queued_.front());
    queued_.pop_front();
    StartWrite(writing_.get());
  } else if (leaving_) {
    writes_closed_ = true;
    StartWritesDone();
  }
}

void PlayStream::stop_writing() {
  writes_closed_ = true;
  queued_.clear();
  release_hold();
}

void PlayStream::release_hold() {
  if (!holds_) return;
  holds_ = false;
  RemoveHold();
}

void PlayStream::OnWriteDone(bool ok) {
  const std::lock_guard lock(mutex_);
  if (writing_->has_frame() && spare_.size() < kSparesMax) {
    spare_.push_back(std::move(writing_));
  }
  writing_.reset();
  if (ok) {
    write_next();
  } else {
    stop_writing();
  }
}

void PlayStream::OnReadDone(bool ok) {
  if (ok && receive()) return StartRead(&response_);
  if (ok) cancel();
  const std::lock_guard lock(mutex_);
  stop_writing();
}

bool PlayStream::receive() {
  switch (response_.message_case()) {
    case v1::PlayResponse::kJoined: return receive(response_.joined());
    case v1::PlayResponse::kUpdate: return subscription().update(response_.update()).ok();
    case v1::PlayResponse::kEnded: subscription().end(); return true;
    // A kind of message that a newer server knows.
    case v1::PlayResponse::MESSAGE_NOT_SET: return true;
  }
  return true;
}

bool PlayStream::receive(const v1::Joined& response) {
  joined();
  return subscription().join(response.match(), response.open_encounters(), &response.participant());
}

void PlayStream::OnDone(const grpc::Status& status) {
  leave_alarm_.Cancel();
  closed(status);
}

}  // namespace sweepd::internal
