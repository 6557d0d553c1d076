// SPDX-License-Identifier: MIT
//
// Protects snapshots of matches: who sits where, what waits and what is yet to be told is all there; a
// snapshot of another config, another version or with damage is refused, with its place. That the ticks to
// come are the same tests/property/snapshot protects.
#include "match/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::snapshot_test {
namespace {

using testing::HasSubstr;

std::unique_ptr<Match> restored(const Match& match) {
  auto other = Match::restore(match.config(), match.save());
  if (!other) ADD_FAILURE() << other.error().place << ": " << other.error().description;
  return std::move(*other);
}

SnapshotError error_of(const MatchConfig& config, std::string_view snapshot) {
  const auto other = Match::restore(config, snapshot);
  if (other) ADD_FAILURE() << "was restored";
  return other.error();
}

/// With a player and a stage that meet.
std::unique_ptr<Match> played_match(const MatchConfig& config = small_config()) {
  auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  const Participant boss = join(*match, "boss", Role::kStage);
  submit(*match, ann, spawn_frame(object_at(ann.first_id, {})));
  submit(*match, boss, spawn_frame(object_at(boss.first_id, {}, kEnemyLayer)));
  match->step();
  match->step();
  return match;
}

TEST(Snapshot, OfAMatchBeforeItsFirstTick) {
  const auto match = make_match();
  join(*match, "ann");
  const auto other = restored(*match);
  EXPECT_EQ(other->tick(), 0u);
  EXPECT_EQ(other->participants().size(), 1u);
  EXPECT_EQ(other->step().digest, match->step().digest);
}

TEST(Snapshot, HasTheWorldAndTheDigest) {
  const auto match = played_match();
  const auto other = restored(*match);
  EXPECT_EQ(other->tick(), 2u);
  EXPECT_EQ(other->digest(), match->digest());
  EXPECT_EQ(other->last_sequence_number(), 1u);
  EXPECT_EQ(other->open_encounters(), match->open_encounters());
  EXPECT_EQ(other->step().digest, match->step().digest);
}

TEST(Snapshot, HasSeatsWithAllThatIsCounted) {
  const auto match = played_match();
  match->apply(Away{1});
  submit(*match, *match->find_participant(0), despawn_frame(999));
  match->step();
  const auto other = restored(*match);
  const Participant ann = *other->find_participant(0);
  EXPECT_EQ(ann.name, "ann");
  EXPECT_EQ(ann.first_id, match->find_participant(0)->first_id);
  EXPECT_EQ(ann.objects, 1u);
  EXPECT_EQ(ann.rejections, 1u);
  EXPECT_EQ(ann.rejections_by_reason.of(RejectionReason::kUnknownObject), 1u);
  EXPECT_TRUE(other->find_participant(1)->is_away);
  EXPECT_EQ(join_error(*other, "ann"), JoinError::kNameTaken);
}

TEST(Snapshot, HasFramesThatWait) {
  const auto match = played_match();
  Frame frame = despawn_frame(match->find_participant(0)->first_id);
  frame.tick = 5;
  submit(*match, *match->find_participant(0), frame);
  const auto other = restored(*match);
  for (int tick = 3; tick < 5; ++tick) EXPECT_TRUE(other->step().events.empty());
  EXPECT_EQ(event_texts(other->step().events).size(), 1u);
}

TEST(Snapshot, HasRejectionsThatAreYetToBeTold) {
  const auto match = played_match();
  for (int i = 0; i < 70; ++i)
    match->apply(RefusedMessage{0, RejectionReason::kTooManyBytes, 7, "moves", "too much"});
  const auto other = restored(*match);
  const TickOutput& output = other->report_refusals();
  ASSERT_EQ(output.rejections.size(), kRejectionsListedMax);
  EXPECT_EQ(output.rejections[0].field, "moves");
  EXPECT_EQ(output.rejections[0].message, "too much");
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kTooManyBytes);
  ASSERT_EQ(output.rejections_not_listed.size(), 1u);
  EXPECT_EQ(output.rejections_not_listed[0].count, 70 - kRejectionsListedMax);
}

TEST(Snapshot, HasDeparturesThatAreYetToBe) {
  const auto match = played_match();
  match->apply(Leave{1});
  const auto other = restored(*match);
  EXPECT_EQ(join(*other, "new").number, 2u);
  const auto events = other->step().events;
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].reason, collision::ExitReason::kOwnerLeft);
}

TEST(Snapshot, HasThePast) {
  const auto match = played_match();
  submit(*match, *match->find_participant(0), move_frame(match->find_participant(0)->first_id, {900, 900}));
  match->step();
  const auto other = restored(*match);
  EXPECT_EQ(other->known_ticks().first, 1u);
  EXPECT_EQ(other->encounters_at(2).size(), 1u);
  EXPECT_EQ(other->encounters_at(3).size(), 0u);
  const PastWorld past = other->world_at(2);
  EXPECT_EQ(past.objects()[0].trajectory.position, (collision::Point{}));
}

TEST(Snapshot, GoesOnWithAnyBroadphase) {
  const auto match = played_match();
  MatchConfig config = small_config();
  config.broadphase = collision::BroadphaseKind::kApproach;
  auto other = Match::restore(config, match->save());
  ASSERT_TRUE(other.ok());
  EXPECT_EQ((*other)->save(), match->save());
}

TEST(Snapshot, IsRefusedWhereTheConfigIsAnother) {
  const std::string snapshot = played_match()->save();
  MatchConfig config = small_config();
  config.collides.push_back({"player", "item"});
  EXPECT_EQ(error_of(config, snapshot).place, "header, byte 13");
  EXPECT_EQ(error_of(config, snapshot).description, "is of a match of another config");
  config = small_config();
  config.history_ticks = 60;
  EXPECT_THAT(error_of(config, snapshot).place, HasSubstr("history"));
  EXPECT_EQ(error_of(config, snapshot).description, "is a history of another length");
  config.history_ticks = 0;
  EXPECT_THAT(error_of(config, snapshot).place, HasSubstr("history"));
  config.layers.clear();
  EXPECT_EQ(error_of(config, snapshot).place, "config.layers");
}

TEST(Snapshot, OfANewerVersionIsRefused) {
  std::string snapshot = played_match()->save();
  snapshot[4] = kSnapshotVersion + 1;
  const SnapshotError error = error_of(small_config(), snapshot);
  EXPECT_EQ(error.place, "header");
  EXPECT_THAT(error.description, HasSubstr("is of version 2; this build reads version 1"));
}

TEST(Snapshot, WithDamageIsRefusedWithThePlace) {
  const std::string snapshot = played_match()->save();
  EXPECT_EQ(error_of(small_config(), "").place, "header, byte 0");
  EXPECT_EQ(error_of(small_config(), "not a snapshot").description, "is no snapshot of a match");
  std::string damaged = snapshot;
  damaged[20] ^= 1;
  EXPECT_THAT(error_of(small_config(), damaged).place, HasSubstr("world, byte "));
  EXPECT_EQ(error_of(small_config(), damaged).description, "has a section that is not as it was written");
  for (std::size_t size = 0; size < snapshot.size(); ++size) {
    EXPECT_FALSE(Match::restore(small_config(), snapshot.substr(0, size)).ok()) << size;
  }
  EXPECT_THAT(error_of(small_config(), snapshot + "x").place, HasSubstr("end, byte "));
}

using SnapshotDeathTest = testing::Test;

TEST(SnapshotDeathTest, AMatchIsNotSavedAfterItsEnd) {
  const auto match = make_match();
  match->end();
  EXPECT_DEATH(match->save(), "broken invariant");
}

}  // namespace
}  // namespace sweepd::match::snapshot_test
