// SPDX-License-Identifier: MIT
#include "tools/load/load_client.h"

#include <algorithm>
#include <utility>

#include "tools/load/frame_bytes.h"
#include "tools/load/shared_request.h"

namespace sweepd::tools::load {
namespace {

// Beside a message's bytes: gRPC puts a flag and the length before each.
constexpr std::size_t kPrefixBytes = 5;
// Two seconds' worth. A server that takes less than it is sent gets no more than that held back.
constexpr std::size_t kWaitingMax = 120;
// A tick may apply the opening and the frames after it at once: then nothing enters or leaves.
constexpr std::uint32_t kFramesBeforeProbes = 30;
// A game that spares bytes compares digests once a second.
constexpr std::uint32_t kDigestEveryTicks = 60;
// Enough to be late on any network, few enough for every match.
constexpr std::uint64_t kLateTicks = 10;

grpc::ByteBuffer buffer_of(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

void ask_for_events(EventsAsked events, v1::Join& join) {
  if (events == EventsAsked::kAll) return;
  v1::EventFilter& filter = *join.mutable_filter();
  filter.set_own_objects(true);
  filter.set_digest_every_ticks(kDigestEveryTicks);
  if (events == EventsAsked::kOwnEnters) filter.add_kinds(v1::EVENT_KIND_ENTER);
}

}  // namespace

LoadClient::LoadClient(const ClientSurroundings& surroundings, MatchSchedule& schedule, const Part& part)
    : surroundings_(surroundings),
      schedule_(schedule),
      is_shared_(part.is_shared),
      behavior_(part.behavior),
      events_(part.events),
      asks_for_world_(part.asks_for_world),
      loop_ticks_(part.seats.front().loop->ticks()),
      position_(part.start_tick) {
  for (const LoadSeat::Part& seat : part.seats) {
    seats_.emplace_back(seat, events_, surroundings_.measurements);
  }
}

void LoadClient::open(std::shared_ptr<grpc::Channel> channel) {
  channel_ = std::move(channel);
  open_stream();
}

void LoadClient::open_stream() {
  stream_ = std::make_unique<PlayStream>(channel_, surroundings_.queue, *this, surroundings_.authorization);
  stream_->open();
}

void LoadClient::close() {
  is_breaking_ = false;
  // Its stream is over already, and no other one has been opened yet.
  if (is_away_) is_closed_ = true;
  stream_->cancel();
}

void LoadClient::on_open() { join_next(); }

// Each when the one before has its answer: it may come before that one's write is known to be done, or after.
void LoadClient::join_next() {
  if (has_joined() || seats_asked_ > seats_joined_ || !stream_->can_write()) return;
  v1::PlayRequest request;
  v1::Join& join = *request.mutable_join();
  seats_[seats_asked_].name_itself(join);
  if (seats_asked_ == 0) {
    join.set_match_id(schedule_.match_id);
    join.set_is_shared(is_shared_);
    ask_for_events(events_, join);
    if (asks_for_world_) join.mutable_world();
  }
  ++seats_asked_;
  stream_->write(buffer_of(request.SerializeAsString()));
}

void LoadClient::take(const v1::Joined& joined) {
  if (has_joined()) return stream_->cancel();  // It has not asked.
  seats_[seats_joined_++].sit_down(joined);
  if (!has_joined()) return join_next();
  if (behavior_ == ClientBehavior::kSlowReader) stream_->stop_reading();
  send_opening();
}

void LoadClient::take(const v1::JoinRefused& refused) {
  status_ = grpc::Status(static_cast<grpc::StatusCode>(refused.code()), refused.message());
  stream_->cancel();
}

void LoadClient::send_opening() {
  if (!schedule_.has_begun || !stream_->can_write()) return;
  has_opened_ = true;
  frames_on_stream_ = 0;
  write(opening());
}

grpc::ByteBuffer LoadClient::opening() {
  if (!is_shared_) return buffer_of(seats_.front().open(position_));
  SharedRequest request(seen_tick_);
  for (LoadSeat& seat : seats_) request.add(seat.number(), seat.open(position_));
  return buffer_of(request.bytes());
}

grpc::ByteBuffer LoadClient::frames() const {
  if (is_shared_) {
    SharedRequest request(seen_tick_);
    for (const LoadSeat& seat : seats_) request.add(seat.number(), seat.frame(position_));
    return buffer_of(request.bytes());
  }
  const std::string_view frame = seats_.front().frame(position_);
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(seen_tick_, acknowledgement);
  // The loop outlives every write; the acknowledgement is so small that it is copied into the slice itself.
  const grpc::Slice slices[] = {grpc::Slice(frame.data(), frame.size(), grpc::Slice::STATIC_SLICE),
                                grpc::Slice(acknowledgement, sizeof acknowledgement)};
  return grpc::ByteBuffer(slices, std::size(slices));
}

void LoadClient::write(const grpc::ByteBuffer& message) {
  surroundings_.measurements.frames_sent += seats_.size();
  surroundings_.measurements.bytes_up += message.Length() + kPrefixBytes;
  stream_->write(message);
}

void LoadClient::send(TimePoint due, TimePoint now) {
  if (is_away_ && !is_closed_) {
    is_away_ = false;
    return open_stream();
  }
  if (!has_joined() || is_closed_) return;
  if (!has_opened_) return send_opening();
  if (misbehave()) return;
  const Pending frame{due, now};
  if (stream_->can_write()) return send_frame(frame);
  if (waiting_.size() < kWaitingMax) {
    waiting_.push_back(frame);
  } else if (!misbehaves()) {
    surroundings_.measurements.frames_not_sent += seats_.size();
  }
}

void LoadClient::end_measurement(TimePoint now) {
  if (misbehaves()) return;
  const Duration interval = Duration(std::chrono::seconds(1)) / schedule_.rate_hz;
  for (LoadSeat& seat : seats_) seat.probe().end_measurement(now, interval);
  for (const Pending& frame : waiting_) {
    if (now - frame.due > interval) surroundings_.measurements.send_lateness.record(now - frame.due);
  }
}

bool LoadClient::misbehave() {
  if (behavior_ == ClientBehavior::kGood || ++sends_ % schedule_.rate_hz != 0 || !stream_->can_write())
    return false;
  v1::PlayRequest request;
  switch (behavior_) {
    case ClientBehavior::kGood:
    case ClientBehavior::kSlowReader:
      return false;
    case ClientBehavior::kDisconnecting:
      is_breaking_ = true;
      stream_->cancel();
      return true;
    case ClientBehavior::kLateFrames:
      request.mutable_frame()->set_tick(seen_tick_ > kLateTicks ? seen_tick_ - kLateTicks : 1);
      break;
    case ClientBehavior::kMalformed:
      request.mutable_frame()->mutable_moves()->add_id_delta(1);  // Columns of different lengths.
      break;
  }
  write(buffer_of(request.SerializeAsString()));
  return true;
}

void LoadClient::on_written() {
  if (!has_joined()) return join_next();
  if (waiting_.empty() || !stream_->can_write()) return;
  const Pending frame = waiting_.front();
  waiting_.pop_front();
  send_frame(frame);
}

void LoadClient::send_frame(const Pending& pending) {
  if (!misbehaves()) surroundings_.measurements.send_lateness.record(now() - pending.due);
  position_ = (position_ + 1) % loop_ticks_;
  // What comes of misbehaviour is no figure of the server's.
  if (++frames_on_stream_ > kFramesBeforeProbes && !misbehaves()) {
    for (LoadSeat& seat : seats_) seat.await_event(position_, pending.since);
  }
  write(frames());
}

void LoadClient::on_message(const grpc::ByteBuffer& message) {
  surroundings_.measurements.bytes_down += message.Length() + kPrefixBytes;
  switch (surroundings_.reader.read(message)) {
    case ResponseReader::Kind::kJoined:
      return take(surroundings_.reader.joined());
    case ResponseReader::Kind::kJoinRefused:
      return take(surroundings_.reader.join_refused());
    case ResponseReader::Kind::kUpdate:
      return take(surroundings_.reader.update());
    case ResponseReader::Kind::kEnded:
    case ResponseReader::Kind::kHeartbeat:
      return;
    case ResponseReader::Kind::kUnreadable:
      return stream_->cancel();
  }
}

void LoadClient::take(const v1::TickUpdate& update) {
  const TimePoint time = now();
  Measurements& measurements = surroundings_.measurements;
  ++measurements.updates;
  measurements.rejections +=
      static_cast<std::uint64_t>(update.rejections_size()) + update.rejections_not_listed();
  if (update.tick() > seen_tick_) {
    seen_tick_ = update.tick();
    measurements.tick_lateness.record(schedule_.fit.observe(update.tick(), time));
    if (update.tick() > schedule_.tick) {
      schedule_.tick = update.tick();
      schedule_.tick_time = time;
    }
  }
  if (update.has_events()) take_events(update, time);
  take_world(update);
}

/// The first of a stream is a snapshot, which comes once.
void LoadClient::take_world(const v1::TickUpdate& update) {
  Measurements& measurements = surroundings_.measurements;
  for (const std::string& tick : update.world()) {
    if (!std::exchange(has_world_, true)) continue;
    measurements.world_bytes += tick.size();
    measurements.world_tick_bytes_max =
        std::max<std::uint64_t>(measurements.world_tick_bytes_max, tick.size());
  }
}

void LoadClient::take_events(const v1::TickUpdate& update, TimePoint time) {
  const v1::EventColumns& events = update.events();
  surroundings_.measurements.events += static_cast<std::uint64_t>(events.object_a_size());
  if (!awaits_events()) return;
  std::uint64_t tick = events.first_tick() != 0 ? events.first_tick() : update.tick();
  for (int row = 0; row < events.object_a_size(); ++row) {
    if (!events.tick_delta().empty()) tick += events.tick_delta(row);
    LoadSeat* const seat = seat_of_probe(events.object_a(row));
    if (seat == nullptr || !seat->awaits(events.object_a(row), events.object_b(row))) continue;
    const bool is_enter = events.reason().empty() || events.reason(row) == v1::EXIT_REASON_UNSPECIFIED;
    seat->probe().received(is_enter, tick, schedule_.fit, time);
  }
}

bool LoadClient::awaits_events() const {
  return std::any_of(seats_.begin(), seats_.end(),
                     [](const LoadSeat& seat) { return seat.probe().is_waiting(); });
}

LoadSeat* LoadClient::seat_of_probe(std::uint32_t object) {
  const auto seat =
      std::lower_bound(seats_.begin(), seats_.end(), object,
                       [](const LoadSeat& one, std::uint32_t id) { return one.probe_id() < id; });
  return seat != seats_.end() && seat->probe_id() == object ? &*seat : nullptr;
}

void LoadClient::on_closed(const grpc::Status& status) {
  for (LoadSeat& seat : seats_) seat.probe().forget();
  waiting_.clear();
  if (is_breaking_) {
    is_breaking_ = false;
    is_away_ = true;
    has_opened_ = false;
    has_world_ = false;
    seats_asked_ = seats_joined_ = 0;
    ++surroundings_.measurements.reconnections;
    return;
  }
  is_closed_ = true;
  if (status_.ok()) status_ = status;  // Else a refusal, of which this is only the end.
}

}  // namespace sweepd::tools::load
