// SPDX-License-Identifier: MIT
#include "play_stream.h"

#include <algorithm>

#include "clock_codec.h"
#include "server_status.h"
#include "stream_codec.h"
#include "token_text.h"

namespace sweepd::internal {
namespace {

constexpr std::size_t kSparesMax = 4;
constexpr std::chrono::milliseconds kLeaveTimeout{2'000};
constexpr std::chrono::milliseconds kAbandonTimeout{500};

/// Of a message of several frames. The server takes 64 frames and 1 MiB, and moves may grow a little when
/// they become relative.
constexpr int kFramesMax = 64;
constexpr std::size_t kFramesBytesMax = 512 * 1024;
constexpr std::size_t kBytesAroundFrame = 8;  ///< Its tag and its length.

/// Of a participant that is on the stream; a further join is refused as BANNED, too.
bool is_departure(const std::string& reason) {
  return reason == "REPLACED" || reason == "KICKED" || reason == "BANNED";
}

/// Of what was asked of the world.
bool is_of_world(const v1::Rejection& rejection) {
  return rejection.field() == "world" || rejection.field().starts_with("world.");
}

}  // namespace

PlayStream::PlayStream(Network* network, Route route, const JoinOptions& options)
    : MatchStream(network, std::move(route), options.reconnect,
                  {options.events_queued_max, holds_back(options.filter),
                   options.world ? std::max<Tick>(options.world->every_ticks, 1) : 0}),
      write_(this, [this](bool ok) { has_written(ok); }),
      options_(options),
      first_seat_(std::make_shared<PlaySeat>(options.name, options.role,
                                             token_of(options.reconnect_token).value_or(""))) {
  if (options.world) {
    v1::WorldInterest interest;
    encode(*options.world, &interest);  // Checked by the client.
    world_.begin_with(interest);
  }
  seats_.push_back(first_seat_);
}

PlayStream::Request PlayStream::join_request(const PlaySeat& seat) const {
  auto request = std::make_unique<v1::PlayRequest>();
  v1::Join* join = request->mutable_join();
  join->set_name(seat.name());
  join->set_role(encode(seat.role()));
  join->set_reconnect_token(seat.token());
  return request;
}

PlayStream::Request PlayStream::first_join_request(const PlaySeat& seat) {
  Request request = join_request(seat);
  v1::Join* join = request->mutable_join();
  join->set_match_id(options_.match_id);
  join->set_is_shared(options_.shared);
  encode(options_.filter, join->mutable_filter());
  encode(options_.queue_policy, join->mutable_queue_policy());
  {
    const std::lock_guard lock(mutex_);
    if (world_.taken()) *join->mutable_world() = *world_.taken();
  }
  // A process that comes back with a saved token has seen nothing: a snapshot tells it what is in contact.
  if (subscription().state() == SessionState::kReconnecting)
    subscription().write_resume_point(join->mutable_resume());
  return request;
}

/// Until a request goes out it names the seat by its key: numbers are given again, and to others (`prepare`).
PlayStream::Request PlayStream::leave_request(const PlaySeat& seat) {
  auto request = std::make_unique<v1::PlayRequest>();
  request->mutable_leave()->set_participant(seat.key);
  return request;
}

void PlayStream::finish_frame(Tick tick, const OpenFrame& open, v1::Frame* out) {
  open.frame->finish(tick, subscription().tick(), out);
  if (is_shared()) out->set_participant(open.seat->key);
}

Status PlayStream::send(Tick tick, const OpenFrame& frame) {
  Request request;
  {
    const std::lock_guard lock(mutex_);
    if (Status status = check_room(); !status.ok()) return status;
    request = take_spare();
  }
  // Not under the lock, for the network's thread's sake. The room stays: only this thread puts frames in.
  finish_frame(tick, frame, request->mutable_frame());
  queue(std::move(request));
  return {};
}

Status PlayStream::send(Tick tick, const std::vector<OpenFrame>& frames) {
  {
    const std::lock_guard lock(mutex_);
    if (Status status = check_room(); !status.ok()) return status;
  }
  auto request = std::make_unique<v1::PlayRequest>();
  std::size_t bytes = 0;
  for (const OpenFrame& open : frames) {
    v1::Frame frame;
    finish_frame(tick, open, &frame);
    const std::size_t frame_bytes = frame.ByteSizeLong() + kBytesAroundFrame;
    const int count = request->frames().frames_size();
    if (count == kFramesMax || (count > 0 && bytes + frame_bytes > kFramesBytesMax)) {
      queue(std::exchange(request, std::make_unique<v1::PlayRequest>()));
      bytes = 0;
    }
    bytes += frame_bytes;
    *request->mutable_frames()->add_frames() = std::move(frame);
  }
  queue(std::move(request));
  return {};
}

void PlayStream::add(const std::shared_ptr<PlaySeat>& seat) {
  seat->key = ++last_key_;
  network().post([this, self = shared_from_this(), seat] {
    seats_.push_back(seat);
    if (!is_seated_) return;  // All join when the call is there.
    to_join_.push_back(seat);
    write_next();
  });
}

void PlayStream::leave(PlaySeat& seat) {
  // Else there is no seat to leave yet: of a join on its way the server is told when it is there.
  if (seat.leave() == SessionState::kJoined) queue(leave_request(seat));
}

Status PlayStream::send(const ClockControl& control) {
  auto request = std::make_unique<v1::PlayRequest>();
  encode(control, request->mutable_clock_control());
  return queue_if_room(std::move(request));
}

Status PlayStream::send_ticket(const std::string& ticket) {
  auto request = std::make_unique<v1::PlayRequest>();
  request->mutable_refresh()->set_ticket(ticket);
  return queue_if_room(std::move(request));
}

Status PlayStream::send(const WorldInterest& interest) {
  auto request = std::make_unique<v1::PlayRequest>();
  if (auto error = encode(interest, request->mutable_world()))
    return std::move(*error).within("world").status();
  {
    // At once: a stream that comes back looks at both, what is asked for and the queue.
    const std::lock_guard lock(mutex_);
    if (Status status = check_room(); !status.ok()) return status;
    world_.ask(request->world());
    set_world_pace();
    queued_.push_back(std::move(request));
  }
  post_flush();
  return {};
}

void PlayStream::set_world_pace() {
  const WorldAsks::Interest& world = world_.latest();
  subscription().set_world_every_ticks(world ? std::max<Tick>(world->every_ticks(), 1) : 0);
}

/// On a stream that has come back, in place of those that wait for it: behind the frames, which may spawn
/// what it follows.
void PlayStream::ask_for_world_again() {
  std::erase_if(queued_, [](const Request& request) { return request->has_world(); });
  const WorldAsks::Interest world = world_.ask_again();
  if (!world) return;
  auto request = std::make_unique<v1::PlayRequest>();
  *request->mutable_world() = *world;
  queued_.push_back(std::move(request));
}

Status PlayStream::queue_if_room(Request request) {
  {
    const std::lock_guard lock(mutex_);
    if (Status status = check_room(); !status.ok()) return status;
  }
  queue(std::move(request));
  return {};
}

void PlayStream::queue(Request request) {
  {
    const std::lock_guard lock(mutex_);
    queued_.push_back(std::move(request));
  }
  post_flush();
}

void PlayStream::post_flush() {
  {
    const std::lock_guard lock(mutex_);
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
  const bool is_writing = writing_ != nullptr && (writing_->has_frame() || writing_->has_frames());
  return queued_.size() + (is_writing ? 1 : 0);
}

PlayStream::Request PlayStream::take_spare() {
  if (spare_.empty()) return std::make_unique<v1::PlayRequest>();
  Request request = std::move(spare_.back());
  spare_.pop_back();
  return request;
}

/// Null: it is done.
PlaySeat* PlayStream::seat_of(std::uint32_t key) const {
  const auto seat = std::ranges::find(seats_, key, [](const auto& one) { return one->key; });
  return seat == seats_.end() ? nullptr : seat->get();
}

void PlayStream::forget(const PlaySeat* seat) {
  std::erase_if(seats_, [seat](const auto& one) { return one.get() == seat; });
}

/// Those that have left or failed, and of which this call has never heard.
void PlayStream::forget_those_gone() {
  std::erase_if(seats_, [](const auto& one) { return one->is_over() && !one->is_here; });
}

void PlayStream::leave() { end_with(true); }
void PlayStream::abandon() { end_with(false); }

void PlayStream::end_with(bool sends_what_waits) {
  if (leaving_began_) return;  // Being destroyed does not cut off what `leave` promised to send.
  const bool was_joined = subscription().state() == SessionState::kJoined;
  subscription().leave();
  if (!was_joined) return cancel();
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
  to_join_.clear();
  answers_due_.clear();
  for (const auto& seat : seats_) seat->stand_up();
  forget_those_gone();
  if (seats_.empty()) return cancel_now();
  // Rather one whom the server knows: with it the stream goes on where it was.
  auto caller = std::ranges::find_if(seats_, [](const auto& seat) { return seat->number().has_value(); });
  if (caller == seats_.end()) caller = seats_.begin();
  caller_ = *caller;
  Request join = first_join_request(*caller_);  // Not under the lock: it asks others, who have theirs.
  {
    const std::lock_guard lock(mutex_);
    writing_ = std::move(join);
  }
  call_->Write(*writing_, write_.begin());
}

bool PlayStream::may_come_back() {
  return reconnect_ticks_ > 0 && std::ranges::any_of(seats_, [](const auto& seat) {
           return !seat->is_over() && !seat->token().empty();
         });
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
  if (write_join()) return;
  if (take_next()) {
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

bool PlayStream::write_join() {
  while (!to_join_.empty()) {
    std::shared_ptr<PlaySeat> seat = std::move(to_join_.front());
    to_join_.pop_front();
    if (seat->is_over()) {
      forget(seat.get());
      continue;
    }
    {
      const std::lock_guard lock(mutex_);
      writing_ = join_request(*seat);
    }
    answers_due_.push_back(std::move(seat));
    call_->Write(*writing_, write_.begin());
    return true;
  }
  return false;
}

bool PlayStream::take_next() {
  const std::lock_guard lock(mutex_);
  while (!queued_.empty()) {
    writing_ = std::move(queued_.front());
    queued_.pop_front();
    if (prepare(writing_.get())) return true;
    writing_.reset();
  }
  return false;
}

/// For the call that is there. False: there is nothing left of it to send.
bool PlayStream::prepare(v1::PlayRequest* request) {
  if (request->has_leave()) return prepare(request->mutable_leave());
  if (request->has_frame()) return prepare(request->mutable_frame());
  if (!request->has_frames()) return true;
  v1::Frames ready;
  for (v1::Frame& frame : *request->mutable_frames()->mutable_frames()) {
    if (prepare(&frame)) *ready.add_frames() = std::move(frame);
  }
  request->mutable_frames()->Swap(&ready);
  return request->frames().frames_size() > 0;
}

bool PlayStream::prepare(v1::Frame* frame) const {
  PlaySeat* const seat = seat_of(is_shared() ? frame->participant() : first_seat_->key);
  if (seat == nullptr || !seat->number() || (seat->is_over() && !seat->is_here)) return false;
  if (is_shared()) frame->set_participant(*seat->number());
  seat->moves.encode(frame);
  return true;
}

bool PlayStream::prepare(v1::Leave* leave) {
  PlaySeat* const seat = seat_of(leave->participant());
  if (seat == nullptr || !seat->is_here) return false;
  leave->set_participant(*seat->number());
  forget(seat);
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
      return receive(response_.update());
    case v1::PlayResponse::kEnded:
      subscription().end(response_.ended().match());
      return true;
    case v1::PlayResponse::kJoinRefused:
      receive(response_.join_refused());
      return true;
    case v1::PlayResponse::kHeartbeat:
    // A kind of message that a newer server knows.
    case v1::PlayResponse::MESSAGE_NOT_SET:
      return true;
  }
  return true;
}

bool PlayStream::receive(const v1::Joined& response) {
  if (!is_seated_) return receive_first(response);
  if (answers_due_.empty()) return false;  // No join waits for an answer.
  PlaySeat& seat = *answers_due_.front();
  subscription().add_seat(response.participant());
  if (!seat.sit_down(response.participant().number(), response.reconnect_token())) {
    queue(leave_request(seat));
  }
  answers_due_.pop_front();
  return true;
}

bool PlayStream::receive_first(const v1::Joined& response) {
  // While the stream comes back, the game may use the seat as soon as it has its place.
  subscription().add_seat(response.participant());
  const bool is_awaited = caller_->sit_down(response.participant().number(), response.reconnect_token());
  reconnect_ticks_ = response.match().config().reconnect_ticks();
  if (!joined({response.match(), response.open_encounters(), &response.participant(), response.epoch(),
               response.resumed(),
               response.has_undone() ? std::optional(decode(response.undone())) : std::nullopt,
               std::chrono::milliseconds(response.heartbeat_ms())})) {
    return false;
  }
  {
    const std::lock_guard lock(mutex_);
    ask_for_world_again();
  }
  is_seated_ = true;
  forget_those_gone();
  for (const auto& seat : seats_) {
    if (seat != caller_) to_join_.push_back(seat);
  }
  if (!is_awaited) queue(leave_request(*caller_));
  write_next();
  return true;
}

bool PlayStream::receive(const v1::TickUpdate& update) {
  if (!subscription().update(update).ok()) return false;
  const bool has_begun = subscription().take_world_beginning();
  const auto refusals = std::ranges::count_if(update.rejections(), is_of_world);
  if (!has_begun && refusals == 0 && update.rejections_not_listed() == 0) return true;
  const std::lock_guard lock(mutex_);
  for (auto i = refusals; i > 0; --i) world_.note_refusal();
  if (update.rejections_not_listed() > 0) world_.note_doubt();
  if (has_begun) world_.note_snapshot();
  if (refusals > 0) set_world_pace();
  return true;
}

void PlayStream::receive(const v1::JoinRefused& refusal) {
  const Status error = from_server(refusal);
  const bool has_left =
      is_departure(refusal.reason()) && std::erase_if(seats_, [&](const auto& seat) {
                                          if (!seat->is_here || seat->name() != refusal.name()) return false;
                                          seat->is_here = false;
                                          seat->fail(error);
                                          return true;
                                        }) > 0;
  if (has_left || refusal.reason() == "REPLACED") return;
  if (!answers_due_.empty()) {
    answers_due_.front()->fail(error);
    forget(answers_due_.front().get());
    answers_due_.pop_front();
  }
}

}  // namespace sweepd::internal
