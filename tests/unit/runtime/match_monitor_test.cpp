// SPDX-License-Identifier: MIT
//
// Protects what operators see of a match: in the log, what became of it and of those who played; in figures,
// what it does, and nothing any more once it is gone.
#include "runtime/match/match_monitor.h"

#include <algorithm>
#include <optional>

#include "runtime/telemetry/log.h"
#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::match_monitor_test {
namespace {

using match::ClockKind;
using match::RejectionReason;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

class MatchMonitorTest : public MatchHostTest {
 protected:
  void start_log(LogLevel level) {
    log_.emplace(
        LogOptions{.level = level, .write = [this](std::string_view line) { lines_.emplace_back(line); }});
  }
  /// All that was said.
  const std::vector<std::string>& lines() {
    log_.reset();
    return lines_;
  }
  LoopFigures& figures() { return loop_.figures(); }
  std::uint64_t matches_in(MatchState state) {
    return figures().matches[static_cast<std::size_t>(state)].value();
  }

  std::vector<std::string> lines_;
  std::optional<Log> log_;
};

TEST_F(MatchMonitorTest, FiguresTellHowManyFramesCameLateAndBunched) {
  MatchHost& host = create(config_with(ClockKind::kManual));
  FakeSubscriber player;
  join(host, player, "a player");
  step(host, 3);
  run_for(milliseconds(2));
  for (const match::Tick tick : {1u, 2u, 3u}) {
    match::Frame frame;
    frame.tick = tick;
    host.submit(0, std::move(frame));
  }
  step(host, 2);
  run_for(milliseconds(2));
  EXPECT_EQ(figures().late_frames.value(), 3u);
  EXPECT_EQ(figures().bunched_frames.value(), 1u) << "two in the first tick, one in the next";
}

TEST_F(MatchMonitorTest, TheLogTellsTheStoryOfAMatch) {
  start_log(LogLevel::kInfo);
  match::MatchConfig config = config_with(ClockKind::kManual);
  config.reconnect_ticks = 3;
  MatchHost& host = create(config);
  FakeSubscriber player;
  join(host, player, "a player");
  host.break_off(player);
  FakeSubscriber again;
  const auto seating = host.rejoin(again, "a player", token_);
  ASSERT_TRUE(seating);
  again.follow(host, seating->subscription);
  host.leave(again);
  host.end();
  const std::string of_match = " match_id=" + place_.id + " ";
  ASSERT_THAT(lines(), ::testing::SizeIs(6));
  EXPECT_THAT(lines_, Each(HasSubstr(of_match)));
  EXPECT_THAT(lines_[0],
              HasSubstr("[info] match created" + of_match + "clock=MANUAL tick_rate_hz=100 tick=0"));
  EXPECT_THAT(lines_[1],
              HasSubstr("participant joined" + of_match + "participant=0 name=\"a player\" role=PLAYER"));
  EXPECT_THAT(lines_[2], HasSubstr("participant is away" + of_match + "participant=0"));
  EXPECT_THAT(lines_[3], HasSubstr("participant is back" + of_match + "participant=0"));
  EXPECT_THAT(lines_[4], HasSubstr("participant left" + of_match + "participant=0"));
  EXPECT_THAT(lines_[5], HasSubstr("match ended" + of_match + "ticks=1 events=0"));
}

TEST_F(MatchMonitorTest, WhoIsAwayForTooLongHasLeft) {
  start_log(LogLevel::kInfo);
  match::MatchConfig config = config_with(ClockKind::kManual);
  config.reconnect_ticks = 3;
  MatchHost& host = create(config);
  FakeSubscriber player;
  join(host, player, "player");
  host.break_off(player);
  step(host, 10);
  run_for(milliseconds(5));
  EXPECT_THAT(lines(),
              Contains(ContainsRegex("participant left match_id=[a-z2-7]+ participant=0 tick=[34]")));
}

TEST_F(MatchMonitorTest, RefusalsAreDetails) {
  start_log(LogLevel::kInfo);
  MatchHost& host = create(config_with(ClockKind::kManual));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  host.submit(number, frame_with_spawn(first_id_, 99));
  step(host, 1);
  run_for(milliseconds(2));
  set_log_level(LogLevel::kDebug);
  host.submit(number, frame_with_spawn(first_id_, 99));
  step(host, 1);
  run_for(milliseconds(2));
  std::vector<std::string> refusals;
  for (const std::string& line : lines()) {
    if (line.find("refused") != std::string::npos) refusals.push_back(line);
  }
  ASSERT_THAT(refusals, ::testing::SizeIs(1));
  EXPECT_THAT(refusals[0], HasSubstr("[debug] change refused match_id=" + place_.id));
  EXPECT_THAT(refusals[0], HasSubstr(" reason=UNKNOWN_LAYER field="));
  EXPECT_EQ(figures().rejections[static_cast<std::size_t>(RejectionReason::kUnknownLayer)].value(), 2u);
}

TEST_F(MatchMonitorTest, AFloodOfRefusalsIsNoFloodOfLines) {
  start_log(LogLevel::kDebug);
  MatchHost& host = create(config_with(ClockKind::kManual));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  const std::uint64_t before = Log::lines_left_out();
  for (int tick = 0; tick < 100; ++tick) {
    for (int i = 0; i < 100; ++i) host.refuse(number, RejectionReason::kMalformed, 0, "field", "message");
    step(host, 1);
    run_for(milliseconds(2));
  }
  const auto& counts = figures().rejections[static_cast<std::size_t>(RejectionReason::kMalformed)];
  EXPECT_EQ(counts.value(), 100u * match::kRejectionsListedMax);
  EXPECT_EQ(figures().rejections_not_listed.value(), 100u * (100 - match::kRejectionsListedMax));
  const std::uint64_t left_out = Log::lines_left_out() - before;
  const auto is_refusal = [](const std::string& line) { return line.find("refused") != std::string::npos; };
  EXPECT_EQ(static_cast<std::uint64_t>(std::ranges::count_if(lines(), is_refusal)) + left_out, counts.value())
      << "each is in the log, or known to be left out";
}

TEST_F(MatchMonitorTest, FiguresFollowAMatchThroughItsStates) {
  match::MatchConfig config = config_with(ClockKind::kRealtime);
  config.start_after_participants = 1;
  MatchHost& host = create(config);
  EXPECT_EQ(figures().matches_created.value(), 1u);
  EXPECT_EQ(matches_in(MatchState::kWaiting), 1u);
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  host.submit(number, frame_with_spawn(first_id_, 0));
  EXPECT_EQ(matches_in(MatchState::kWaiting), 0u);
  EXPECT_EQ(matches_in(MatchState::kRunning), 1u);
  host.control_clock({.is_paused = true});
  EXPECT_EQ(matches_in(MatchState::kRunning), 0u);
  EXPECT_EQ(matches_in(MatchState::kPaused), 1u);
  host.control_clock({.is_paused = false});
  EXPECT_EQ(matches_in(MatchState::kRunning), 1u);
  host.end();
  for (const auto state : {MatchState::kWaiting, MatchState::kRunning, MatchState::kPaused}) {
    EXPECT_EQ(matches_in(state), 0u);
  }
  EXPECT_EQ(figures().matches_ended.value(), 1u);
}

TEST_F(MatchMonitorTest, FiguresTellToWhomMostIsRefusedAfterTheEndToo) {
  MatchHost& host = create(config_with(ClockKind::kManual));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  match::Frame frame;
  frame.despawns = {first_id_, first_id_ + 1};
  for (int i = 0; i < 2; ++i) {
    host.submit(number, frame);
    step(host, 1);
    run_for(milliseconds(2));
  }
  ASSERT_EQ(figures().refused_participants.rows().size(), 1u);
  EXPECT_EQ(figures().refused_participants.rows()[0].rejections, 4u);
  EXPECT_EQ(figures().refused_participants.rows()[0].number, number);
  host.end();
  run_for(milliseconds(2));
  ASSERT_EQ(figures().refused_participants.rows().size(), 1u);
  EXPECT_TRUE(figures().refused_participants.rows()[0].has_ended);
}

TEST_F(MatchMonitorTest, FiguresCountWhatComesInAndWhatComesOut) {
  MatchHost& host = create(config_with(ClockKind::kManual));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  for (int i = 0; i < 5; ++i) step_with_event(host, number);
  match::Frame later;
  later.tick = host.match().tick() + 3;
  host.submit(number, later);
  step(host, 1);
  run_for(milliseconds(2));
  EXPECT_EQ(figures().frames.value(), 6u);
  EXPECT_EQ(figures().events.value(), host.match().last_sequence_number());
  EXPECT_EQ(figures().frames_waiting.value(), 1u);
  EXPECT_EQ(figures().events_kept.value(), host.log().size());
  EXPECT_GT(host.log().size(), 0u);
  std::uint64_t ticks = 0;
  for (std::size_t bucket = 0; bucket <= TimeFigures::kBoundsSeconds.size(); ++bucket) {
    ticks += figures().tick.count(bucket);
  }
  EXPECT_EQ(ticks, host.match().tick());
  host.end();
  run_for(milliseconds(2));
  EXPECT_EQ(figures().frames_waiting.value(), 0u) << "what is gone has nothing that waits";
  EXPECT_EQ(figures().events_kept.value(), 0u);
}

TEST_F(MatchMonitorTest, TicksThatBeginLateAreSeenToBeLate) {
  MatchHost& host = create(config_with(ClockKind::kRealtime));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  host.submit(number, frame_with_spawn(first_id_, 0));
  now_ += milliseconds(300);  // The loop was somewhere else.
  run_for(milliseconds(1));
  EXPECT_GE(figures().lateness.sum_seconds(), 0.28);
}

}  // namespace
}  // namespace sweepd::runtime::match_monitor_test
