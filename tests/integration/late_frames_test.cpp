// SPDX-License-Identifier: MIT
//
// Protects a match from a player whose frames come late, on purpose or not, over the wire: they are played
// one after the other, so that its ship meets what it would have met in time; and how late it was is told.
#include "integration/support/solo_match.h"

namespace sweepd::test::late_frames_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint32_t kPlayer = 0;
constexpr std::uint32_t kEnemyBullet = 3;
constexpr int kFrames = 20;
constexpr double kSpeed = 8;

class LateFrames : public SoloMatchTest {
 protected:
  /// A ship that may move by 8 a tick, at 0, and three bullets that hang where it is after 5, 9 and 13 ticks.
  void begin_before_a_wall(LateFramePolicy policy) {
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.late_frames = policy;
    config.layer_limits = {{.layer = "player", .speed_max = kSpeed, .speed_budget_ticks = 30}};
    begin(config);
    ship_ = spawn(object_at({0, 0}, kPlayer, 2));
    for (const double place : {5, 9, 13}) spawn(object_at({place * kSpeed, 0}, kEnemyBullet, 2));
    step();
  }

  /// All frames come when their ticks have run.
  void send_late() {
    const Tick first = client_->get_match(match_id_)->tick + 1;
    run(kFrames);
    for (int i = 0; i < kFrames; ++i) {
      ASSERT_TRUE(session_->move(ship_, {kSpeed * (i + 1), 0}).ok());
      ASSERT_TRUE(session_->end_frame(first + static_cast<Tick>(i)).ok());
    }
    ASSERT_TRUE(eventually([&] { return participant().late_frames == kFrames; }));
  }

  Participant participant() { return client_->get_match(match_id_)->participants.at(0); }

  int enters() {
    int count = 0;
    for (const Event& event : drain(*session_)) count += event.kind == EventKind::kEnter ? 1 : 0;
    return count;
  }

  ObjectId ship_ = 0;
};

TEST_F(LateFrames, OfAHeldUpClientMeetWhatTheyWouldHaveMetInTime) {
  begin_before_a_wall(MatchConfig().late_frames);
  send_late();
  run(kFrames / 2);
  ASSERT_TRUE(eventually([&] { return session_->tick() >= client_->get_match(match_id_)->tick; }));
  EXPECT_EQ(enters(), 3);
  EXPECT_EQ(client_->find_nearest(match_id_, {kFrames * kSpeed, 0}, {})->value().part.object, ship_);
}

TEST_F(LateFrames, ThatApplyAtOnceMeetNothingWhereTheMatchSaysSo) {
  begin_before_a_wall(LateFramePolicy::kApplyNext);
  send_late();
  run();
  ASSERT_TRUE(eventually([&] { return session_->tick() >= client_->get_match(match_id_)->tick; }));
  EXPECT_EQ(enters(), 0);
}

TEST_F(LateFrames, AreCountedAndToldOfWhoHasLeftToo) {
  begin_before_a_wall(LateFramePolicy::kSpread);
  send_late();
  run(kFrames / 2);
  const Participant late = participant();
  EXPECT_EQ(late.late_ticks_max, static_cast<Tick>(kFrames));
  EXPECT_EQ(late.bunched_frames, kFrames / 2u);
  EXPECT_THAT(client_->get_match(match_id_)->former_participants, IsEmpty());
  session_->leave();
  ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->participants.empty(); }));
  const auto ended = client_->end_match(match_id_);
  ASSERT_TRUE(ended.ok()) << ended.status().message();
  ASSERT_THAT(ended->former_participants, SizeIs(1));
  EXPECT_EQ(ended->former_participants[0].name, late.name);
  EXPECT_EQ(ended->former_participants[0].late_ticks_max, late.late_ticks_max);
  EXPECT_EQ(ended->former_participants[0].bunched_frames, late.bunched_frames);
}

}  // namespace
}  // namespace sweepd::test::late_frames_test
