// SPDX-License-Identifier: MIT
#include "app/sweepctl/load/load_client.h"

#include <utility>

#include "app/sweepctl/load/frame_bytes.h"

namespace sweepd::app::load {
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

TimePoint now() { return std::chrono::steady_clock::now(); }

}  // namespace

LoadClient::LoadClient(const ClientSurroundings& surroundings, MatchSchedule& schedule, Part part)
    : surroundings_(surroundings),
      schedule_(schedule),
      loop_(*part.loop),
      name_(std::move(part.name)),
      manners_(part.manners),
      events_(part.events),
      position_(part.start_tick),
      // Of ENTERs alone no two may wait.
      probe_(surroundings.measurements, part.events == EventsAsked::kOwnEnters ? 1 : 2) {}

void LoadClient::open(std::shared_ptr<grpc::Channel> channel) {
  channel_ = std::move(channel);
  open_stream();
}

void LoadClient::open_stream() {
  stream_ = std::make_unique<PlayStream>(channel_, surroundings_.queue, *this);
  stream_->open();
}

void LoadClient::close() {
  is_breaking_ = false;
  // Its stream is over already, and no other one has been opened yet.
  if (is_away_) is_closed_ = true;
  stream_->cancel();
}

void LoadClient::on_open() {
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(schedule_.match_id);
  request.mutable_join()->set_name(name_);
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  request.mutable_join()->set_reconnect_token(token_);
  ask_for_events(events_, *request.mutable_join());
  stream_->write(buffer_of(request.SerializeAsString()));
}

void LoadClient::send_opening() {
  if (!schedule_.has_begun || !stream_->can_write()) return;
  has_opened_ = true;
  frames_on_stream_ = 0;
  write(buffer_of(token_.empty() ? loop_.opening(position_) : loop_.restart(position_)));
  token_ = next_token_;
}

void LoadClient::write(const grpc::ByteBuffer& message) {
  ++surroundings_.measurements.frames_sent;
  surroundings_.measurements.bytes_up += message.Length() + kPrefixBytes;
  stream_->write(message);
}

void LoadClient::send(TimePoint due, TimePoint now) {
  if (is_away_ && !is_closed_) {
    is_away_ = false;
    return open_stream();
  }
  if (!has_joined_ || is_closed_) return;
  if (!has_opened_) return send_opening();
  if (misbehave()) return;
  const Pending frame{due, now};
  if (stream_->can_write()) return send_frame(frame);
  if (waiting_.size() < kWaitingMax) {
    waiting_.push_back(frame);
  } else if (!misbehaves()) {
    ++surroundings_.measurements.frames_not_sent;
  }
}

void LoadClient::end_measurement(TimePoint now) {
  if (misbehaves()) return;
  const Duration interval = Duration(std::chrono::seconds(1)) / schedule_.rate_hz;
  probe_.end_measurement(now, interval);
  for (const Pending& frame : waiting_) {
    if (now - frame.due > interval) surroundings_.measurements.send_lateness.record(now - frame.due);
  }
}

bool LoadClient::misbehave() {
  if (manners_ == Manners::kGood || ++sends_ % schedule_.rate_hz != 0 || !stream_->can_write()) return false;
  v1::PlayRequest request;
  switch (manners_) {
    case Manners::kGood:
    case Manners::kSlowReader:
      return false;
    case Manners::kDisconnecting:
      is_breaking_ = true;
      stream_->cancel();
      return true;
    case Manners::kLateFrames:
      request.mutable_frame()->set_tick(seen_tick_ > kLateTicks ? seen_tick_ - kLateTicks : 1);
      break;
    case Manners::kMalformed:
      request.mutable_frame()->mutable_moves()->add_id_delta(1);  // Columns of different lengths.
      break;
  }
  write(buffer_of(request.SerializeAsString()));
  return true;
}

void LoadClient::on_written() {
  if (waiting_.empty() || !stream_->can_write()) return;
  const Pending frame = waiting_.front();
  waiting_.pop_front();
  send_frame(frame);
}

void LoadClient::send_frame(const Pending& pending) {
  if (!misbehaves()) surroundings_.measurements.send_lateness.record(now() - pending.due);
  position_ = (position_ + 1) % loop_.ticks();
  const std::string_view frame = loop_.frame(position_);
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(seen_tick_, acknowledgement);
  // The loop outlives every write; the acknowledgement is so small that it is copied into the slice itself.
  const grpc::Slice slices[] = {grpc::Slice(frame.data(), frame.size(), grpc::Slice::STATIC_SLICE),
                                grpc::Slice(acknowledgement, sizeof acknowledgement)};
  // What comes of misbehaviour is no figure of the server's.
  const bool hears = ++frames_on_stream_ > kFramesBeforeProbes && !misbehaves();
  const bool is_told = events_ != EventsAsked::kOwnEnters || loop_.in_contact_after(position_);
  if (hears && is_told && loop_.probes_in(position_))
    probe_.sent(loop_.in_contact_after(position_), pending.since);
  write(grpc::ByteBuffer(slices, std::size(slices)));
}

void LoadClient::on_message(const grpc::ByteBuffer& message) {
  surroundings_.measurements.bytes_down += message.Length() + kPrefixBytes;
  switch (surroundings_.reader.read(message)) {
    case ResponseReader::Kind::kJoined:
      has_joined_ = true;
      next_token_ = surroundings_.reader.joined().reconnect_token();
      if (manners_ == Manners::kSlowReader) stream_->stop_reading();
      return send_opening();
    case ResponseReader::Kind::kUpdate:
      return take(surroundings_.reader.update());
    case ResponseReader::Kind::kEnded:
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
}

void LoadClient::take_events(const v1::TickUpdate& update, TimePoint time) {
  const v1::EventColumns& events = update.events();
  surroundings_.measurements.events += static_cast<std::uint64_t>(events.object_a_size());
  if (!probe_.is_waiting()) return;
  std::uint64_t tick = events.first_tick() != 0 ? events.first_tick() : update.tick();
  for (int row = 0; row < events.object_a_size(); ++row) {
    if (!events.tick_delta().empty()) tick += events.tick_delta(row);
    if (events.object_a(row) != loop_.probe().mover || events.object_b(row) != loop_.probe().partner)
      continue;
    const bool is_enter = events.reason().empty() || events.reason(row) == v1::EXIT_REASON_UNSPECIFIED;
    probe_.received(is_enter, tick, schedule_.fit, time);
  }
}

void LoadClient::on_closed(const grpc::Status& status) {
  probe_.forget();
  waiting_.clear();
  if (is_breaking_) {
    is_breaking_ = false;
    is_away_ = true;
    has_joined_ = has_opened_ = false;
    ++surroundings_.measurements.reconnections;
    return;
  }
  is_closed_ = true;
  status_ = status;
}

}  // namespace sweepd::app::load
