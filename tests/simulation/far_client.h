// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "match/match.h"
#include "property/random.h"
#include "runtime/match/delay_meter.h"

namespace sweepd::simulation {

using match::ClaimVerdict;
using match::Frame;
using match::HitClaim;
using match::ObjectId;
using match::Tick;

/// A match on a simulated clock, a stage that sits beside it, and a player behind a slow line, whose delay
/// the server measures as it does in earnest. All of it follows from the seed.
class FarClient {
 public:
  struct Line {
    int delay_ms = 75;   ///< Each way.
    int jitter_ms = 20;  ///< Up to so much more or less; what was sent first arrives first.
  };
  /// Where everything was after a tick: what an update shows the player.
  using View = std::map<ObjectId, collision::Point>;

  FarClient(const match::MatchConfig& config, Line line, std::uint64_t seed);

  /// What the stage does before a tick.
  std::function<void(Tick next, Frame&)> stage = [](Tick, Frame&) {};
  /// What the player does, 60 times a second: `seen` is the last tick that it has been shown.
  std::function<void(Tick seen, const View&, Frame&)> player = [](Tick, const View&, Frame&) {};
  /// What the player says that it has seen.
  std::function<Tick(Tick seen)> acknowledged = [](Tick seen) { return seen; };

  /// Verdicts on its claims, with the server's last tick when each came in.
  struct Judged {
    ClaimVerdict verdict;
    Tick arrival_tick;
    std::uint32_t delay_ticks;
  };
  std::vector<Judged> run(Tick ticks);

  const match::Participant& player_seat() const { return player_; }
  const match::Participant& stage_seat() const { return stage_; }
  const match::Match& match() const { return *match_; }
  std::uint32_t delay_ticks() const { return meter_.delay_ticks(kRateHz); }
  property::Random& random() { return random_; }

 private:
  static constexpr std::uint32_t kRateHz = 60;
  using TimePoint = runtime::TimePoint;

  template <typename Payload>
  struct Message {
    TimePoint arrival;
    Payload payload;
  };

  TimePoint arrival_after(TimePoint now, TimePoint& last);
  void play_until(TimePoint now);
  void deliver_until(TimePoint now);
  void step(TimePoint now, std::vector<Judged>& judged);

  Line line_;
  property::Random random_;
  std::unique_ptr<match::Match> match_;
  match::Participant stage_;
  match::Participant player_;
  runtime::DelayMeter meter_;
  std::map<Tick, View> views_;
  std::deque<Message<Tick>> down_;
  std::deque<Message<Frame>> up_;
  TimePoint last_down_;
  TimePoint last_up_;
  TimePoint next_player_frame_{std::chrono::microseconds(5'000)};
  Tick seen_ = 0;
  std::map<std::uint32_t, std::pair<Tick, std::uint32_t>>
      arrivals_;  // By claim number: arrival tick, delay in ticks.
};

}  // namespace sweepd::simulation
