// SPDX-License-Identifier: MIT
//
// Protects time in a match, with a real server and the SDK: LOCKSTEP runs each tick when the frames are in,
// or at its deadline and then names who was late; a match can be paused, resumed and paced by
// participants that have the right, and by no others.
#include "integration/support/server_fixture.h"

namespace sweepd::test::clock_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> lines(const std::vector<Event>& events) {
  std::vector<std::string> result;
  for (const Event& event : events)
    result.push_back(std::to_string(event.sequence_number) + ": " + to_line(event));
  return result;
}

class ClockOfAMatch : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
  }

  static MatchConfig lockstep(std::uint32_t deadline_ms, std::uint32_t start_after) {
    MatchConfig config = shooter_config(ClockKind::kLockstep);
    config.lockstep.deadline_ms = deadline_ms;
    config.start_after_participants = start_after;
    return config;
  }

  void create(const MatchConfig& config) {
    const auto match = client_->create_match(config);
    ASSERT_TRUE(match.ok()) << match.status().message();
    match_id_ = match->match_id;
  }

  MatchInfo match() { return *client_->get_match(match_id_); }

  /// Waits until the session has heard of it.
  static bool hears(const Session& session, const ClockState& clock) {
    return eventually([&] { return session.clock() == clock; });
  }

  std::optional<Client> client_;
  std::string match_id_;
};

TEST_F(ClockOfAMatch, TwoClientsInLockstepGetTheSameTicksAsFastAsTheySendThem) {
  constexpr Tick kTicks = 300;
  create(lockstep(60'000, 2));
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  const ObjectId ship = *player.spawn(object_at({0, 0}, 0));
  const ObjectId enemy = *stage.spawn(object_at({0, 0}, 2));
  for (Tick tick = 1; tick <= kTicks; ++tick) {
    ASSERT_TRUE(player.move(ship, {tick % 7 * 2.0, 0}).ok());
    ASSERT_TRUE(stage.move(enemy, {tick % 11 * 2.0, 0}).ok());
    ASSERT_TRUE(player.end_frame(tick).ok());
    ASSERT_TRUE(stage.end_frame(tick).ok());
    // Each waits for the tick before it sends the next frame: in LOCKSTEP every tick is told.
    ASSERT_TRUE(eventually([&] { return player.tick() == tick && stage.tick() == tick; }));
    ASSERT_EQ(player.digest(), stage.digest());
  }
  const auto seen = drain(player);
  EXPECT_GT(seen.size(), 20u);
  EXPECT_EQ(lines(seen), lines(drain(stage)));
  EXPECT_FALSE(player.poll_late());
  for (const Participant& participant : match().participants) {
    EXPECT_EQ(participant.frames_missed + participant.late_frames + participant.rejections, 0u);
  }
}

TEST_F(ClockOfAMatch, WhoStallsIsNamedAndTheTicksGoOnByTheirDeadlines) {
  // Long enough for the one who does not stall, however busy the machine is.
  create(lockstep(300, 2));
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  Watcher watcher = client_->watch(match_id_);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  const std::uint32_t stalled = stage.participant()->number;
  for (Tick tick = 1; tick <= 10; ++tick) ASSERT_TRUE(player.end_frame(tick).ok());
  ASSERT_TRUE(eventually([&] { return player.unsent_frames() == 0; }));
  ASSERT_TRUE(stage.end_frame(1).ok());
  ASSERT_TRUE(eventually([&] { return player.tick() >= 10 && stage.tick() >= 10 && watcher.tick() >= 10; }));
  for (Tick tick = 2; tick <= 10; ++tick) {
    for (const auto& late : {player.poll_late(), stage.poll_late(), watcher.poll_late()}) {
      ASSERT_TRUE(late);
      EXPECT_EQ(late->tick, tick);
      EXPECT_THAT(late->participants, ElementsAre(stalled));
    }
  }
  const auto participants = match().participants;
  EXPECT_GE(participants.at(stalled).frames_missed, 9u);
}

TEST_F(ClockOfAMatch, ADeadlineIsTakenAtItsLimitsAndRefusedPastThem) {
  for (const std::uint32_t deadline_ms : {1u, 60'000u}) {
    EXPECT_EQ(client_->create_match(lockstep(deadline_ms, 0))->config.lockstep.deadline_ms, deadline_ms);
  }
  EXPECT_EQ(client_->create_match(lockstep(0, 0))->config.lockstep.deadline_ms, 250u) << "the default";
  const Status status = client_->create_match(lockstep(60'001, 0)).status();
  EXPECT_EQ(status.reason(), "INVALID_CONFIG");
  EXPECT_EQ(status.field(), "config.lockstep.deadline_ms");
  EXPECT_THAT(status.message(), HasSubstr("1 to 60000"));
  MatchConfig config = lockstep(1, 0);
  config.lockstep.required_roles = std::vector{Role::kObserver};
  EXPECT_EQ(client_->create_match(config).status().field(), "config.lockstep.required_roles");
}

TEST_F(ClockOfAMatch, TheStagePausesResumesAndPacesTheMatchAndAPlayerMayNot) {
  create(shooter_config(ClockKind::kRealtime));
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  EXPECT_EQ(player.clock(), (ClockState{false, 60}));
  ASSERT_TRUE(stage.pause().ok());
  ASSERT_TRUE(hears(player, {true, 60}));
  ASSERT_TRUE(hears(stage, {true, 60}));
  const Tick tick = match().tick;
  EXPECT_EQ(match().state, MatchState::kPaused);
  Session late_joiner = joined(*client_, match_id_, "late joiner", Role::kPlayer);
  EXPECT_EQ(late_joiner.clock(), (ClockState{true, 60}));

  // Refused while it stands still, and told at once.
  ASSERT_TRUE(player.resume().ok());
  std::optional<Rejection> rejection;
  ASSERT_TRUE(eventually([&] { return (rejection = player.poll_rejection()).has_value(); }));
  EXPECT_EQ(rejection->reason, "MAY_NOT_CONTROL");
  EXPECT_EQ(rejection->field, "clock_control");
  EXPECT_EQ(match().participants.at(player.participant()->number).rejections, 1u);
  EXPECT_EQ(match().tick, tick);

  // Frames are taken all the same, and apply in the tick that runs next.
  ASSERT_TRUE(player.spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(player.end_frame(tick + 1).ok());
  ASSERT_TRUE(player.spawn(object_at({0, 0}, 2)).ok());
  ASSERT_TRUE(player.end_frame(tick + 1).ok());
  ASSERT_TRUE(eventually([&] { return player.unsent_frames() == 0; }));
  ASSERT_TRUE(stage.set_tick_rate(240).ok());
  ASSERT_TRUE(hears(player, {true, 240}));
  ASSERT_TRUE(stage.resume().ok());
  ASSERT_TRUE(hears(player, {false, 240}));
  ASSERT_TRUE(eventually([&] { return player.tick() > tick; }));
  const auto events = drain(player);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_GE(events[0].tick, tick + 1);
  EXPECT_EQ(player.state(), SessionState::kJoined);
}

TEST_F(ClockOfAMatch, RolesAreGivenTheRightByTheConfig) {
  MatchConfig config = shooter_config(ClockKind::kRealtime);
  config.clock_control_roles = std::vector{Role::kPlayer, Role::kObserver};
  create(config);
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  Session judge = joined(*client_, match_id_, "judge", Role::kObserver);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  ASSERT_TRUE(judge.pause().ok());
  ASSERT_TRUE(hears(player, {true, 60}));
  ASSERT_TRUE(stage.resume().ok());
  ASSERT_TRUE(eventually([&] { return stage.poll_rejection().has_value(); }));
  ASSERT_TRUE(player.resume().ok());
  ASSERT_TRUE(hears(stage, {false, 60}));
}

TEST_F(ClockOfAMatch, AToolControlsTheClockByRpcAndBadRatesAreRefusedByName) {
  create(shooter_config(ClockKind::kManual));
  ASSERT_TRUE(client_->step_match(match_id_, 3).ok());
  const auto paused = client_->control_clock(match_id_, {.paused = true, .tick_rate_hz = 240});
  ASSERT_TRUE(paused.ok()) << paused.status().message();
  EXPECT_EQ(paused->clock, (ClockState{true, 240}));
  EXPECT_EQ(paused->state, MatchState::kPaused);
  EXPECT_EQ(client_->step_match(match_id_).status().reason(), "MATCH_PAUSED");
  EXPECT_EQ(client_->step_match(match_id_).status().code(), ErrorCode::kFailedPrecondition);
  EXPECT_EQ(match().tick, 3u);
  for (const std::uint32_t rate_hz : {0u, 241u}) {
    const Status status = client_->control_clock(match_id_, {.tick_rate_hz = rate_hz}).status();
    EXPECT_EQ(status.reason(), "INVALID_CLOCK_CONTROL");
    EXPECT_EQ(status.field(), "control.tick_rate_hz");
  }
  EXPECT_EQ(client_->control_clock(match_id_, {}).status().field(), "control");
  EXPECT_EQ(client_->control_clock("no-such-match", {.paused = true}).status().reason(), "MATCH_NOT_FOUND");
  EXPECT_EQ(client_->control_clock(match_id_, {.paused = false, .tick_rate_hz = 1})->clock,
            (ClockState{false, 1}));
  EXPECT_EQ(client_->step_match(match_id_)->tick, 4u);
  Session session = joined(*client_, match_id_, "stage", Role::kStage);
  EXPECT_EQ(session.set_tick_rate(241).code(), ErrorCode::kOutOfRange);
}

TEST_F(ClockOfAMatch, SweepctlPausesResumesAndPaces) {
  const auto created = run_sweepctl({"create", "--clock", "lockstep", "--deadline-ms", "77", "--require",
                                     "player", "--clock-control", "nobody", "--start-after", "1"});
  ASSERT_EQ(created->wait(), 0) << created->standard_error();
  match_id_ = created->standard_output();
  match_id_.pop_back();
  EXPECT_EQ(match().config.clock, ClockKind::kLockstep);
  EXPECT_THAT(*match().config.lockstep.required_roles, ElementsAre(Role::kPlayer));
  EXPECT_TRUE(match().config.clock_control_roles->empty());
  EXPECT_THAT(run_sweepctl({"ls"})->standard_output(), HasSubstr("lockstep 77 ms"));
  EXPECT_THAT(run_sweepctl({"pause", match_id_})->standard_output(), HasSubstr("paused"));
  EXPECT_THAT(run_sweepctl({"ls"})->standard_output(), HasSubstr("paused"));
  EXPECT_THAT(run_sweepctl({"resume", match_id_})->standard_output(), HasSubstr("waiting"));
  EXPECT_EQ(run_sweepctl({"rate", match_id_, "30"})->wait(), 0);
  EXPECT_EQ(match().clock, (ClockState{false, 30}));
  const auto wrong = run_sweepctl({"rate", match_id_, "241"});
  EXPECT_EQ(wrong->wait(), 2);
  EXPECT_THAT(wrong->standard_error(), HasSubstr("HZ"));
  EXPECT_EQ(run_sweepctl({"pause", "no-such-match"})->wait(), 1);
}

}  // namespace
}  // namespace sweepd::test::clock_test
