// SPDX-License-Identifier: MIT
//
// Protects: what a recorder keeps is what determines a match, no more and no less; a player comes to the same
// match by it, or names the tick where it does not.
#include "replay/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "recordings/random_match.h"
#include "recordings/recorded_tick.h"
#include "replay/player.h"
#include "replay/testimony.h"

namespace sweepd::replay::recorder_test {
namespace {

// Else who may set the clock slows a match down behind many changes that mean nothing.
TEST(Timeline, ListsTheLowestAndTheHighestRateOfAnyNumberOfChanges) {
  Timeline timeline;
  auto note = [&timeline, tick = Tick{0}](std::uint32_t rate, bool is_paused = false) mutable {
    timeline.note({.tick = ++tick, .is_paused = is_paused, .tick_rate_hz = rate});
  };
  for (std::size_t i = 0; i < Timeline::kClockChangesMax / 2; ++i) {
    note(60, true);
    note(60);
  }
  for (const std::uint32_t rate : {5u, 240u, 4u, 60u, 250u, 6u}) note(rate);
  ASSERT_EQ(timeline.changes.size(), Timeline::kClockChangesMax);
  EXPECT_EQ(timeline.changes_omitted, 6u);
  const auto& changes = timeline.changes;
  EXPECT_TRUE(std::ranges::is_sorted(changes, {}, &ClockChange::tick));
  EXPECT_EQ(changes.end()[-1].tick_rate_hz, 250u);
  EXPECT_EQ(changes.end()[-2].tick_rate_hz, 4u);
}

using match::Role;
using ::testing::HasSubstr;

std::unique_ptr<match::Match> new_match(std::uint32_t reconnect_ticks = 300) {
  match::MatchConfig config;
  config.layers = {"all"};
  config.collides = {{"all", "all"}};
  config.reconnect_ticks = reconnect_ticks;
  return std::move(match::Match::create(config).value());
}

match::Frame spawn(match::ObjectId id, collision::Point position) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.position = position;
  spec.parts.push_back({.box = {-10, -10, 10, 10}});
  match::Frame frame;
  frame.spawns.push_back(std::move(spec));
  return frame;
}

struct Recording : ::testing::Test {
  TickRecord step() {
    recorder.step();
    return recordings::take_record(recorder);
  }

  Recorder recorder{new_match()};
};

TEST_F(Recording, HoldsCallsInTheirOrderAndTheDigestThatTheyLedTo) {
  const ParticipantNumber ann = recorder.apply(Join{"ann", Role::kPlayer})->number;
  const ParticipantNumber bob = recorder.apply(Join{"bob", Role::kStage})->number;
  EXPECT_FALSE(recorder.apply(Submission{bob, spawn(1u << 20 | 1, {3, 4})}));
  recorder.apply(Leave{ann});
  const TickRecord record = step();
  EXPECT_EQ(record.tick, 1u);
  EXPECT_EQ(record.digest, recorder.match().digest());
  EXPECT_FALSE(record.ends_match);
  ASSERT_EQ(record.inputs.size(), 4u);
  EXPECT_EQ(std::get<Join>(record.inputs[0]), (Join{"ann", Role::kPlayer, 0}));
  EXPECT_EQ(std::get<Join>(record.inputs[1]), (Join{"bob", Role::kStage, 1}));
  EXPECT_EQ(std::get<Submission>(record.inputs[2]).frame.spawns.front().position, (collision::Point{3, 4}));
  EXPECT_EQ(std::get<Leave>(record.inputs[3]), Leave{ann});
  recorder.end();
  EXPECT_TRUE(recordings::take_record(recorder).ends_match);
}

TEST_F(Recording, LeavesOutWhatTheMatchRefusedWhole) {
  const ParticipantNumber ann = recorder.apply(Join{"ann", Role::kPlayer})->number;
  EXPECT_FALSE(recorder.apply(Join{"ann", Role::kPlayer}).ok());
  match::Frame early = spawn(1, {});
  early.tick = 1'000;
  EXPECT_TRUE(recorder.apply(Submission{ann, early}));
  EXPECT_TRUE(recorder.apply(Submission{17, spawn(1, {})}));
  recorder.apply(Leave{17});
  recorder.apply(Away{17});
  EXPECT_FALSE(recorder.apply(Back{17}));
  EXPECT_EQ(step().inputs.size(), 1u);
}

TEST_F(Recording, LeavesOutFramesOfObservers) {
  const ParticipantNumber eve = recorder.apply(Join{"eve", Role::kObserver})->number;
  match::Frame acknowledgement;
  acknowledgement.acknowledged_tick = 0;
  EXPECT_FALSE(recorder.apply(Submission{eve, acknowledgement}));
  EXPECT_TRUE(recorder.apply(Submission{eve, spawn(1, {})}));
  EXPECT_EQ(step().inputs.size(), 1u);
}

TEST_F(Recording, OfWhoGoesAndComesBackWithinATickHoldsNothing) {
  const ParticipantNumber ann = recorder.apply(Join{"ann", Role::kPlayer})->number;
  step();
  for (int i = 0; i < 100; ++i) {
    recorder.apply(Away{ann});
    EXPECT_TRUE(recorder.apply(Back{ann}));
  }
  EXPECT_TRUE(recorder.apply(Back{ann}));  // Never away: nothing changes.
  recorder.apply(Away{ann});
  recorder.apply(Away{ann});
  const TickRecord away = step();
  ASSERT_EQ(away.inputs.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Away>(away.inputs[0]));
  recorder.apply(Back{ann});
  recorder.apply(Away{ann});
  recorder.apply(Back{ann});
  const TickRecord back = step();
  ASSERT_EQ(back.inputs.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Back>(back.inputs[0]));
}

TEST_F(Recording, ForgetsOnlyTheLastAbsenceOfASeatThatChangedHands) {
  ASSERT_TRUE(recorder.apply(Join{"ann", Role::kPlayer}).ok());
  step();
  recorder.apply(Away{0});
  recorder.apply(Leave{0});
  ASSERT_EQ(recorder.apply(Join{"bob", Role::kPlayer})->number, 0u);
  recorder.apply(Away{0});
  recorder.apply(Back{0});
  const TickRecord record = step();
  ASSERT_EQ(record.inputs.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<Away>(record.inputs[0]));
  EXPECT_TRUE(std::holds_alternative<Leave>(record.inputs[1]));
  EXPECT_TRUE(std::holds_alternative<Join>(record.inputs[2]));
}

TEST_F(Recording, IsBoundedHoweverManyComeAndGoInATick) {
  for (std::size_t i = 0; i < Recorder::kJoinsPerTickMax; ++i) {
    const auto joined = recorder.apply(Join{"guest", Role::kPlayer});
    ASSERT_TRUE(joined.ok());
    recorder.apply(Leave{joined->number});
  }
  const auto refused = recorder.apply(Join{"guest", Role::kPlayer});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error(), match::JoinError::kMatchFull);
  step();
  EXPECT_TRUE(recorder.apply(Join{"guest", Role::kPlayer}).ok());
}

TEST(Playing, EveryRecordLeadsToItsDigestAgain) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    recordings::RandomMatch original(seed);
    Player player(std::move(match::Match::create(recordings::random_match_config(seed)).value()));
    for (int i = 0; i < 200; ++i) {
      const auto divergence = player.play(original.play_tick());
      ASSERT_FALSE(divergence) << "seed " << seed << " tick " << divergence->tick << ": " << divergence->what;
    }
    const auto divergence = player.play(original.end());
    ASSERT_FALSE(divergence) << divergence->what;
    EXPECT_TRUE(player.match().ended());
    EXPECT_EQ(player.match().last_sequence_number(), original.match().last_sequence_number());
    EXPECT_GT(player.match().last_sequence_number(), 20u) << "next to nothing happened";
  }
}

struct Playback : Recording {
  Playback() {
    EXPECT_TRUE(recorder.apply(Join{"ann", Role::kPlayer}).ok());
    recorder.apply(Submission{0, spawn(1, {5, 5})});
    first = step();
    second = step();
  }

  std::string fault_of(const TickRecord& record) {
    const auto divergence = player.play(record);
    return divergence ? divergence->what : "";
  }

  TickRecord first, second;
  Player player{new_match()};
};

TEST_F(Playback, NamesBothDigestsWhereTheyDiffer) {
  std::get<Submission>(first.inputs[1]).frame.spawns[0].position.x = 6;
  const auto divergence = player.play(first);
  ASSERT_TRUE(divergence);
  EXPECT_EQ(divergence->tick, 1u);
  EXPECT_THAT(divergence->what, HasSubstr("the record says " + digest_text(first.digest)));
}

TEST_F(Playback, TakesTicksInTheirOrderOnly) {
  EXPECT_THAT(fault_of(second), HasSubstr("the record is of tick 2"));
  EXPECT_EQ(fault_of(first), "");
  EXPECT_EQ(fault_of(second), "");
}

TEST_F(Playback, NamesAFrameThatTheMatchRefuses) {
  std::get<Submission>(first.inputs[1]).frame.tick = 900;
  EXPECT_THAT(fault_of(first), HasSubstr("a frame of participant 0 was refused: tick tick 900 is"));
}

TEST_F(Playback, NamesASeatThatIsAnothers) {
  std::get<Join>(first.inputs[0]).number = 3;
  EXPECT_THAT(fault_of(first), HasSubstr("a seat was taken as participant 0, the record says participant 3"));
}

TEST_F(Playback, NamesWhoCouldNotJoinOrHasNoSeat) {
  TickRecord twice = first;
  twice.inputs.push_back(twice.inputs[0]);
  EXPECT_THAT(fault_of(twice), HasSubstr("participant 0 could not join"));
  Player another(new_match());
  first.inputs.push_back(Leave{9});
  EXPECT_THAT(another.play(first)->what, HasSubstr("participant 9 comes or goes, and has no seat"));
}

TEST_F(Playback, PlaysNothingAfterTheEnd) {
  first.ends_match = true;
  player.play(first);
  EXPECT_THAT(fault_of(second), HasSubstr("ended"));
}

TEST(Digests, AreWrittenAsSixteenDigits) {
  EXPECT_EQ(digest_text(0xab), "00000000000000ab");
  EXPECT_EQ(digest_text(0x123456789abcdef0), "123456789abcdef0");
}

}  // namespace
}  // namespace sweepd::replay::recorder_test
