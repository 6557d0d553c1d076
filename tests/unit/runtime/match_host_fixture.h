// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "runtime/match/resident_matches.h"

namespace sweepd::runtime {

using match::Role;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;

/// There is no network: a poll ends at once, and the test's clock goes on instead.
class FakePoller final : public Poller {
 public:
  Duration poll(TimePoint) override { return {}; }
  void wake() override {}
};

class FakeSubscriber final : public Subscriber, private ReportSink {
 public:
  void follow(MatchHost& host, Subscription& subscription) {
    host_ = &host;
    subscription_ = &subscription;
  }

  /// Takes what there is.
  void collect(bool is_last = false) {
    update_tick_.reset();
    host_->collect(*subscription_, *this, is_last);
    if (update_tick_) ticks.push_back(*update_tick_);
  }

  void tick_has_run() override {
    if (takes) collect();
    if (on_tick) on_tick();
  }
  void match_is_over() override { is_over = true; }
  void match_ended(const MatchHost&) override {
    collect(true);
    has_ended = true;
    if (on_end) on_end();
  }
  void replaced() override { is_replaced = true; }
  void seat_replaced(match::ParticipantNumber number) override { replaced_seats.push_back(number); }
  bool is_behind() const override { return behind; }

  std::vector<match::Tick> ticks;      ///< One per update.
  std::vector<std::uint64_t> numbers;  ///< Of events.
  std::vector<std::uint64_t> digests;  ///< One per report.
  std::vector<match::ClaimVerdict> verdicts;
  std::vector<std::string> rejected_fields;
  std::vector<match::ParticipantNumber> rejected_participants;  ///< Where rejections name them.
  std::vector<match::ParticipantNumber> replaced_seats;
  std::size_t snapshots = 0;
  std::vector<match::ParticipantNumber> away;
  std::vector<match::ParticipantNumber> late;
  std::vector<ClockState> clocks;
  std::size_t events = 0;
  std::uint64_t rejections = 0;
  bool is_over = false;
  bool has_ended = false;
  bool is_replaced = false;
  bool takes = true;
  bool behind = false;
  std::function<void()> on_tick;
  std::function<void()> on_end;

 private:
  void add(const TickReport& report) override {
    update_tick_ = report.tick;
    digests.push_back(report.digest);
    verdicts.insert(verdicts.end(), report.claim_verdicts.begin(), report.claim_verdicts.end());
    events += report.events.size();
    for (const auto& event : report.events) numbers.push_back(event.sequence_number);
    rejections += report.rejections.size() + report.rejections_not_listed;
    for (const auto& rejection : report.rejections) {
      rejected_fields.push_back(rejection.field);
      if (report.names_participants) rejected_participants.push_back(rejection.participant);
    }
    if (report.snapshot) ++snapshots;
    late.insert(late.end(), report.late_participants.begin(), report.late_participants.end());
    if (report.clock) clocks.push_back(*report.clock);
    if (report.absences) away.assign(report.absences->begin(), report.absences->end());
  }
  bool is_full() const override { return false; }

  MatchHost* host_ = nullptr;
  Subscription* subscription_ = nullptr;
  std::optional<match::Tick> update_tick_;
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
    constexpr bool kIsLoad = true;  // Others wait for the clock, which these move.
    std::function<void()> advance = [&] {
      if (now_ >= end) return loop_.stop();
      now_ += milliseconds(1);
      loop_.post_slice(advance, kIsLoad);
    };
    loop_.post_slice(advance, kIsLoad);
    loop_.run();
  }

  match::ParticipantNumber join(MatchHost& host, FakeSubscriber& subscriber, const std::string& name,
                                Role role = Role::kPlayer) {
    const auto seating = host.join(subscriber, {name, role});
    EXPECT_TRUE(seating.ok());
    subscriber.follow(host, seating->subscription);
    first_id_ = seating->participant.first_id;
    token_ = seating->token;
    return seating->participant.number;
  }

  static void watch(MatchHost& host, FakeSubscriber& subscriber) {
    subscriber.follow(host, host.watch(subscriber));
  }

  /// A ship and a bullet that touch, or part: one event a tick.
  void submit_event(MatchHost& host, match::ParticipantNumber number) {
    const bool is_first = host.match().object_count() == 0;
    match::Frame frame;
    if (is_first) {
      frame = frame_with_spawn(first_id_, 0);
      frame.spawns.push_back(frame_with_spawn(first_id_ + 1, 1).spawns[0]);
    } else {
      frame.moves = {{first_id_, {host.match().encounter_count() == 0 ? 0 : 1000, 0}}};
    }
    host.submit(number, frame);
  }

  void step_with_event(MatchHost& host, match::ParticipantNumber number) {
    submit_event(host, number);
    step(host, 1);
    run_for(milliseconds(2));
  }

  /// Steps; the answer is in answer_.
  void step(MatchHost& host, std::uint32_t ticks, bool wait_for_frames = false) {
    host.step(++step_id_, {ticks, wait_for_frames},
              [this](const auto& result) { answers_.push_back(result); });
  }

  FakePoller poller_;
  TimePoint now_{seconds(1000)};
  Loop loop_{poller_, [this] { return now_; }};
  MatchRegistry registry_{2, 10};  ///< The second loop is for tests that have one.
  ResidentMatches matches_{loop_, registry_, seconds(300)};
  MatchPlace place_;
  collision::ObjectId first_id_ = 0;
  std::string token_;
  StepId step_id_ = 0;
  std::vector<base::Result<StepResult, StepError>> answers_;
};

}  // namespace sweepd::runtime
