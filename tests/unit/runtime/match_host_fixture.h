// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "runtime/resident_matches.h"

namespace sweepd::runtime {

/// There is no network: a poll ends at once, and the test's clock goes on instead.
class FakePoller final : public Poller {
 public:
  void poll(TimePoint) override {}
  void wake() override {}
};

class FakeSubscriber final : public Subscriber {
 public:
  void deliver(const TickReport& report) override {
    ticks.push_back(report.tick);
    events += report.events.size();
    rejections += report.rejections.size() + report.rejections_not_listed;
    late.insert(late.end(), report.late_participants.begin(), report.late_participants.end());
    if (report.clock) clocks.push_back(*report.clock);
    if (on_deliver) on_deliver();
  }
  void match_ended(const MatchHost&) override { has_ended = true; }
  bool is_behind() const override { return behind; }

  std::vector<match::Tick> ticks;
  std::size_t events = 0;
  std::uint64_t rejections = 0;
  std::vector<match::ParticipantNumber> late;
  std::vector<ClockState> clocks;
  bool has_ended = false;
  bool behind = false;
  std::function<void()> on_deliver;
};

inline match::MatchConfig config_with(match::ClockKind clock) {
  match::MatchConfig config;
  config.layers = {"player", "bullet"};
  config.collides = {{"player", "bullet"}};
  config.clock = clock;
  config.tick_rate_hz = 100;
  config.heartbeat_ticks = 6;
  return config;
}

inline match::Frame frame_with_spawn(collision::ObjectId id, collision::LayerId layer) {
  match::Frame frame;
  collision::ObjectSpec spec;
  spec.id = id;
  spec.parts = {{{0, 0, 10, 10}, layer}};
  frame.spawns = {spec};
  return frame;
}

class MatchHostTest : public ::testing::Test {
 protected:
  MatchHost& create(const match::MatchConfig& config) {
    place_ = *registry_.add();
    return matches_.add(place_.id, std::move(*match::Match::create(config)));
  }

  /// Runs the loop until everything at hand is done and the clock has come to `time`.
  void run_for(Duration time) {
    const TimePoint end = now_ + time;
    std::function<void()> advance = [&] {
      if (now_ >= end) return loop_.stop();
      now_ += std::chrono::milliseconds(1);
      loop_.post_slice(advance);
    };
    loop_.post_slice(advance);
    loop_.run();
  }

  match::ParticipantNumber join(MatchHost& host, FakeSubscriber& subscriber, const std::string& name,
                                match::Role role = match::Role::kPlayer) {
    const auto participant = host.join(subscriber, {name, role});
    EXPECT_TRUE(participant.ok());
    first_id_ = participant->first_id;
    return participant->number;
  }

  /// Steps; the answer is in answer_.
  void step(MatchHost& host, std::uint32_t ticks, bool wait_for_frames = false) {
    host.step(++step_id_, {ticks, wait_for_frames},
              [this](const auto& result) { answers_.push_back(result); });
  }

  FakePoller poller_;
  TimePoint now_{std::chrono::seconds(1000)};
  Loop loop_{poller_, [this] { return now_; }};
  MatchRegistry registry_{1, 10};
  ResidentMatches matches_{loop_, registry_, std::chrono::seconds(300)};
  MatchPlace place_;
  collision::ObjectId first_id_ = 0;
  StepId step_id_ = 0;
  std::vector<base::Result<StepResult, StepError>> answers_;
};

}  // namespace sweepd::runtime
