// SPDX-License-Identifier: MIT
//
// Protects players from clients that lie to a real server about how old their view is: one that names an
// older tick than it can have seen is not believed, and one that holds back its acknowledgements, so that the
// server takes its line for slower than it is, is believed no further back than the match rewinds for
// anybody.
#include <map>

#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::liar_test {
namespace {

constexpr std::uint32_t kRateHz = 120;
constexpr Tick kRewindTicks = 240;
constexpr Tick kOldTicks = 120;  // Older than an honest view is, but no older than what the match rewinds.
constexpr std::uint32_t kShot = 1;
constexpr std::uint32_t kEnemy = 2;

/// A player that says of a shot of its own, which rests on an enemy, that it hit it long ago; a message at a
/// time, because the SDK acknowledges what it has got.
class LiarTest : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = kRateHz;
    config.heartbeat_ticks = 1;
    config.history_ticks = 3'600;
    config.claims.rewind_ticks_max = kRewindTicks;
    config.claims.delay_allowance_ticks = 0;
    config.claims.hits_per_shot_max = 0;
    match_id_ = client_->create_match(config)->match_id;
    stage_.emplace(joined(*client_, match_id_, "stage", Role::kStage));
    target_ = *stage_->spawn(object_at({0, 0}, kEnemy));
    ASSERT_TRUE(stage_->end_frame().ok());
    stub_ = v1::MatchService::NewStub(
        grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
    liar_.emplace(*stub_);
    shot_ = liar_->joined(match_id_, "liar").joined().participant().first_id();
    spawn_shot();
    ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 2; }));
    both_there_ = client_->get_match(match_id_)->tick;
  }

  /// Answers every update with a frame that acknowledges what `acknowledged` says, and claims a hit that is
  /// `kOldTicks` old, and one that is a tick older than what the match rewinds, until `is_enough`.
  void lie(const std::function<Tick(Tick seen)>& acknowledged, const std::function<bool()>& is_enough) {
    ASSERT_TRUE(eventually([&] {
      const auto response = liar_->read();
      EXPECT_TRUE(response) << "the stream ended";
      if (!response) return true;
      for (const auto& verdict : response->update().claim_verdicts())
        ++verdicts_of(verdict)[verdict.verdict()];
      const Tick seen = response->update().tick();
      v1::Frame frame;
      frame.set_acknowledged_tick(acknowledged(seen));
      if (seen > both_there_ + kRewindTicks) {
        claim(seen - kOldTicks, frame);
        claim(seen - kRewindTicks - 1, frame);
      }
      liar_->send(frame);
      return is_enough();
    }));
    EXPECT_GT(too_old_[v1::VERDICT_TOO_OLD], 20);
    EXPECT_EQ(too_old_.size(), 1u) << "believed, or not for the reason that it is too old";
  }

  int believed() { return old_[v1::VERDICT_CONFIRMED] + old_[v1::VERDICT_ALREADY_CLAIMED]; }
  std::uint32_t delay_ms() { return client_->get_match(match_id_)->participants.at(1).delay_ms; }

  using Counts = std::map<v1::Verdict, int>;
  Counts old_;      ///< Of the claims that are kOldTicks old, or as much older as it took them to come in.
  Counts too_old_;  ///< Of those beyond the rewind.
  std::optional<Client> client_;
  std::string match_id_;

 private:
  void spawn_shot() {
    v1::Frame frame;
    v1::Spawn& spawn = *frame.add_spawns();
    spawn.set_object_id(shot_);
    v1::Part& part = *spawn.add_parts();
    part.set_layer(kShot);
    part.mutable_box()->set_max_x(256);
    part.mutable_box()->set_max_y(256);
    liar_->send(frame);
  }

  /// Odd numbers are those of the claims that are too old.
  void claim(Tick tick_seen, v1::Frame& frame) {
    v1::HitClaim& claim = *frame.add_claims();
    claim.set_claim_number(++last_number_);
    claim.set_shot_id(shot_);
    claim.set_target_id(target_);
    claim.set_tick_seen(tick_seen);
  }
  Counts& verdicts_of(const v1::ClaimVerdict& verdict) {
    return verdict.claim_number() % 2 == 1 ? old_ : too_old_;
  }

  std::optional<Session> stage_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
  std::optional<RawStream> liar_;
  ObjectId target_ = 0;
  ObjectId shot_ = 0;
  Tick both_there_ = 0;
  std::uint32_t last_number_ = 0;
};

TEST_F(LiarTest, WhoNamesAnOlderTickThanItCanHaveSeenIsNotBelieved) {
  lie([](Tick seen) { return seen; }, [&] { return old_[v1::VERDICT_IMPLAUSIBLE_VIEW] > 50; });
  EXPECT_GT(delay_ms(), 0u);
}

TEST_F(LiarTest, WhoAcknowledgesLateIsBelievedNoFurtherThanTheRewind) {
  constexpr Tick kHeldBack = 300;
  lie([](Tick seen) { return seen > kHeldBack ? seen - kHeldBack : 0; }, [&] { return believed() > 50; });
  EXPECT_GE(delay_ms(), kHeldBack * 1000 / kRateHz) << "the lie works so far";
}

TEST_F(LiarTest, WhoAcknowledgesWhatWasNeverSentIsNotMeasuredAndNotBelieved) {
  lie([](Tick seen) { return seen + 10'000; }, [&] { return old_[v1::VERDICT_IMPLAUSIBLE_VIEW] > 50; });
  EXPECT_EQ(believed(), 0);
  EXPECT_EQ(delay_ms(), 0u);
}

}  // namespace
}  // namespace sweepd::test::liar_test
