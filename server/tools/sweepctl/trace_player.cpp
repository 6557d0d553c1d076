// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_player.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "tools/sweepctl/interrupt.h"

namespace sweepd::tools {
namespace {

using Clock = std::chrono::steady_clock;

// A step waits for the frames of its ticks; on a busy machine these may take a while.
constexpr std::chrono::milliseconds kCallTimeout{30'000};
// Ticks come at least once a second: silence for this long means that something is broken.
constexpr std::chrono::milliseconds kSilenceMax{20'000};
constexpr std::chrono::microseconds kPause{500};

ClientOptions client_options_of(const ServerChoice& server) {
  ClientOptions options = client_options(server);
  options.timeout = kCallTimeout;
  return options;
}

Status interrupted_error() { return Status(ErrorCode::kUnavailable, "interrupted"); }

/// Waits until `condition` holds while `check` finds nothing wrong.
template <typename Condition, typename Check>
Status wait_until(Condition condition, Check check, const std::string& what) {
  const auto deadline = Clock::now() + kCallTimeout;
  while (!condition()) {
    if (interrupted()) return interrupted_error();
    if (Status status = check(); !status.ok()) return status;
    if (Clock::now() > deadline) return Status(ErrorCode::kDeadlineExceeded, "timed out while " + what);
    std::this_thread::sleep_for(kPause);
  }
  return {};
}

}  // namespace

TracePlayer::TracePlayer(const Trace& trace, TracePlayerOptions options)
    : trace_(trace), options_(std::move(options)), client_(client_options_of(options_.server)) {}

TracePlayer::~TracePlayer() { end(); }

Result<TracePlaySummary> TracePlayer::play(EventFile& events) {
  const Status status = run(events);
  was_late_at_start_ =
      !manual() && status.reason() == "TOO_LATE" && server_tick() <= options_.match.lead_ticks;
  end();
  if (!status.ok()) return status;
  return summary_;
}

Status TracePlayer::run(EventFile& events) {
  if (Status status = create(); !status.ok()) return status;
  if (Status status = join(); !status.ok()) return status;
  if (Status status = start(); !status.ok()) return status;
  if (Status status = play_ticks(events); !status.ok()) return status;
  return verify(events);
}

Status TracePlayer::create() {
  const Result<MatchInfo> match = client_.create_match(match_config_of(trace_, options_.match));
  if (!match.ok()) return match.status();
  match_id_ = match->match_id;
  summary_.match_id = match_id_;
  for (std::size_t number = 0; number < trace_.participants.size(); ++number) {
    TraceSeatOptions options;
    options.client = client_options_of(options_.server);
    options.match_id = match_id_;
    options.name = match->config.slots.at(number).name;
    options.every_tick = options_.match.clock != ClockKind::kRealtime;
    seats_.push_back(std::make_unique<TraceSeat>(trace_, number, options));
  }
  return {};
}

Status TracePlayer::join() {
  const auto all_joined = [this] {
    return std::all_of(seats_.begin(), seats_.end(), [](const auto& seat) { return seat->joined(); });
  };
  const auto check = [this] {
    for (const auto& seat : seats_) {
      if (Status status = seat->check(); !status.ok()) return status;
    }
    return Status();
  };
  return wait_until(all_joined, check, "joining");
}

// But for a MANUAL clock, the ticks run from the moment in which the last participant's first frame is in.
// The one with the least to send comes last, after all others' frames are on their way: then no other frames
// can come late.
Status TracePlayer::start() {
  const auto starter = std::min_element(seats_.begin(), seats_.end(), [](const auto& a, const auto& b) {
    return a->commands() < b->commands();
  });
  const Tick lead = std::min<Tick>(options_.match.lead_ticks, last_tick());
  for (const auto& seat : seats_) {
    if (seat == *starter) continue;
    const auto sent = [&] { return seat->sent_tick() >= lead && seat->unsent_frames() == 0; };
    const auto send = [&] {
      if (Status status = seat->check(); !status.ok()) return status;
      return seat->send_until(lead);
    };
    if (Status status = wait_until(sent, send, "sending the first frames"); !status.ok()) return status;
  }
  return (*starter)->send_until(lead);
}

Status TracePlayer::play_ticks(EventFile& events) {
  Tick last_seen = 0;
  auto last_progress = Clock::now();
  while (!all_received()) {
    if (interrupted()) return interrupted_error();
    if (Status status = send_frames(); !status.ok()) return status;
    if (Status status = step(); !status.ok()) return status;
    if (Status status = receive(events); !status.ok()) return status;
    if (const Tick tick = server_tick(); tick > last_seen) {
      last_seen = tick;
      last_progress = Clock::now();
      options_.on_progress(tick);
    } else if (Clock::now() - last_progress > kSilenceMax) {
      return Status(ErrorCode::kDeadlineExceeded, "no tick came from the server for " +
                                                      std::to_string(kSilenceMax.count() / 1000) +
                                                      " s, after tick " + std::to_string(tick));
    }
    std::this_thread::sleep_for(kPause);
  }
  return {};
}

Status TracePlayer::send_frames() {
  const Tick until = std::min(server_tick() + options_.match.lead_ticks, last_tick());
  for (const auto& seat : seats_) {
    if (Status status = seat->send_until(until); !status.ok()) return status;
  }
  return {};
}

Status TracePlayer::receive(EventFile& events) {
  // All receive the same log; the first one's is written, the others' are counted.
  for (std::size_t number = 0; number < seats_.size(); ++number) {
    TraceSeat& seat = *seats_[number];
    if (number == 0) seat.receive(last_tick(), [&events](const Event& event) { events.write(event); });
    if (number != 0) seat.receive(last_tick(), [](const Event&) {});
    if (Status status = seat.check(); !status.ok()) return status;
  }
  return {};
}

// A MANUAL clock steps half the lead at a time, so that the other half is sent while the server is at work.
Status TracePlayer::step() {
  if (!manual()) return {};
  if (stepping_.valid()) {
    if (stepping_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    const Result<StepResult> result = stepping_.get();
    if (!result.ok()) return result.status();
    stepped_tick_ = result->tick;
    summary_.digest_tick = result->tick;
    summary_.digest = result->digest;
  }
  if (stepped_tick_ >= last_tick()) return {};
  Tick sent_tick = last_tick();
  for (const auto& seat : seats_) sent_tick = std::min(sent_tick, seat->sent_tick());
  const auto batch_max = std::max<Tick>(options_.match.lead_ticks / 2, 1);
  const auto ticks = static_cast<std::uint32_t>(std::min(sent_tick - stepped_tick_, batch_max));
  if (ticks == 0) return {};
  stepping_ =
      std::async(std::launch::async, [this, ticks] { return client_.step_match(match_id_, ticks, true); });
  return {};
}

Status TracePlayer::verify(const EventFile& events) {
  for (const auto& seat : seats_) {
    if (seat->event_count() == events.count()) continue;
    return Status(ErrorCode::kInternal,
                  "participants received different logs: " + std::to_string(events.count()) + " and " +
                      std::to_string(seat->event_count()) + " events");
  }
  const Result<MatchInfo> match = client_.get_match(match_id_);
  if (!match.ok()) return match.status();
  for (const Participant& participant : match->participants) {
    if (participant.rejections == 0 && participant.late_frames == 0) continue;
    return Status(ErrorCode::kFailedPrecondition,
                  participant.name + ": " + std::to_string(participant.rejections) +
                      " changes were refused and " + std::to_string(participant.late_frames) +
                      " frames came late; the events are not exact");
  }
  if (manual()) return {};
  // With LOCKSTEP no frame comes any more: the match is where the trace ends.
  summary_.digest_tick = match->tick;
  summary_.digest = match->digest;
  for (const auto& seat : seats_) {
    if (!seat->last_digest()) continue;
    summary_.digest_tick = last_tick();
    summary_.digest = *seat->last_digest();
  }
  return {};
}

void TracePlayer::end() {
  if (!match_id_.empty() && !options_.keep) {
    // A server that is gone took the match with it: there is nothing left to end.
    (void)client_.end_match(match_id_);
  }
  if (stepping_.valid()) stepping_.wait();
  for (const auto& seat : seats_) seat->leave();
  seats_.clear();
  match_id_.clear();
}

bool TracePlayer::all_received() const {
  if (manual() && stepped_tick_ < last_tick()) return false;
  return std::all_of(seats_.begin(), seats_.end(),
                     [this](const auto& seat) { return seat->received_tick() >= last_tick(); });
}

Tick TracePlayer::server_tick() const {
  if (manual()) return stepped_tick_;
  Tick tick = last_tick();
  for (const auto& seat : seats_) tick = std::min(tick, seat->received_tick());
  return tick;
}

}  // namespace sweepd::tools
