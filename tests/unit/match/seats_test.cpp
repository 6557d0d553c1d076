// SPDX-License-Identifier: MIT
//
// Protects: who may join under which number with which block of ids, and when a number is free again.
#include "match/seats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::seats_test {
namespace {

MatchConfig slot_config() {
  MatchConfig config = small_config();
  config.slots = {
      {"ann", Role::kPlayer, 100, 199}, {"stage", Role::kStage, 0, 0}, {"judge", Role::kObserver, 0, 0}};
  return config;
}

TEST(Join, GivesTheLowestFreeNumberAndTheBlockOfThatNumber) {
  MatchConfig config = small_config();
  config.ids_per_participant = 16;
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  EXPECT_EQ(ann.number, 0u);
  EXPECT_EQ(ann.first_id, 1u);
  EXPECT_EQ(ann.last_id, 16u);
  const Participant stage = join(*match, "stage", Role::kStage);
  EXPECT_EQ(stage.number, 1u);
  EXPECT_EQ(stage.first_id, 17u);
  EXPECT_EQ(stage.last_id, 32u);
  match->apply(Leave{ann.number});
  EXPECT_EQ(join(*match, "bob").number, 0u);
}

TEST(Join, GivesObserversNumbersFrom64OnAndNoBlock) {
  const auto match = make_match();
  const Participant observer = join(*match, "judge", Role::kObserver);
  EXPECT_EQ(observer.number, 64u);
  EXPECT_EQ(observer.first_id, 0u);
  EXPECT_EQ(observer.last_id, 0u);
  EXPECT_EQ(join(*match, "ann").number, 0u);
}

TEST(Join, RefusesTheParticipantPastTheMostAndTheObserverPastTheMost) {
  const auto match = make_match();
  for (std::uint32_t i = 0; i < kParticipantsMax; ++i) join(*match, "player " + std::to_string(i));
  EXPECT_EQ(join_error(*match, "one more"), JoinError::kMatchFull);
  for (std::uint32_t i = 0; i < kObserversMax; ++i)
    join(*match, "observer " + std::to_string(i), Role::kObserver);
  EXPECT_EQ(join_error(*match, "one more", Role::kObserver), JoinError::kMatchFull);
  EXPECT_EQ(match->participants().size(), kParticipantsMax + kObserversMax);
}

TEST(Join, KeepsTheBlocksOfAllNumbersInTheRangeOfIds) {
  MatchConfig config = small_config();
  config.ids_per_participant = kIdsPerParticipantMax;
  const auto match = make_match(config);
  ObjectId last_id = 0;
  for (std::uint32_t i = 0; i < kParticipantsMax; ++i) {
    const Participant participant = join(*match, "player " + std::to_string(i));
    EXPECT_EQ(participant.first_id, last_id + 1);
    EXPECT_GT(participant.last_id, last_id);
    last_id = participant.last_id;
  }
}

TEST(Join, RefusesANameThatIsEmptyTooLongOrTaken) {
  const auto match = make_match();
  EXPECT_EQ(join_error(*match, ""), JoinError::kInvalidName);
  EXPECT_EQ(join_error(*match, std::string(65, 'n')), JoinError::kInvalidName);
  join(*match, std::string(64, 'n'));
  EXPECT_EQ(join_error(*match, std::string(64, 'n')), JoinError::kNameTaken);
  EXPECT_EQ(join_error(*match, std::string(64, 'n'), Role::kObserver), JoinError::kNameTaken);
}

TEST(Join, WithSlotsGivesThePlaceOfTheSlotAndItsBlock) {
  const auto match = make_match(slot_config());
  const Participant stage = join(*match, "stage", Role::kStage);
  EXPECT_EQ(stage.number, 1u);
  EXPECT_EQ(stage.first_id, 1u + (1u << 20));
  EXPECT_EQ(stage.last_id, 2u << 20);
  const Participant ann = join(*match, "ann");
  EXPECT_EQ(ann.number, 0u);
  EXPECT_EQ(ann.first_id, 100u);
  EXPECT_EQ(ann.last_id, 199u);
  const Participant judge = join(*match, "judge", Role::kObserver);
  EXPECT_EQ(judge.number, 2u);
  EXPECT_EQ(judge.last_id, 0u);
}

TEST(Join, WithSlotsRefusesWhoHasNoneOrWhoseSlotIsTaken) {
  const auto match = make_match(slot_config());
  EXPECT_EQ(join_error(*match, "bob"), JoinError::kNoSuchSlot);
  EXPECT_EQ(join_error(*match, "ann", Role::kStage), JoinError::kNoSuchSlot);
  EXPECT_EQ(join_error(*match, "ann", Role::kObserver), JoinError::kNoSuchSlot);
  join(*match, "ann");
  EXPECT_EQ(join_error(*match, "ann"), JoinError::kSlotTaken);
}

TEST(Join, WithSlotsLetsObserversInThatHaveNone) {
  const auto match = make_match(slot_config());
  EXPECT_EQ(join(*match, "guest", Role::kObserver).number, 64u);
  EXPECT_EQ(join_error(*match, "guest", Role::kObserver), JoinError::kSlotTaken);
}

TEST(Leave, KeepsANumberTakenUntilItsObjectsAreGone) {
  const auto match = make_match(slot_config());
  const Participant ann = join(*match, "ann");
  submit(*match, ann, spawn_frame(object_at(100, {0, 0})));
  match->step();
  match->apply(Leave{ann.number});
  EXPECT_FALSE(match->find_participant(ann.number));
  EXPECT_EQ(join_error(*match, "ann"), JoinError::kSlotTaken);
  EXPECT_EQ(match->object_count(), 1u);
  match->step();
  EXPECT_EQ(match->object_count(), 0u);
  EXPECT_EQ(join(*match, "ann").objects, 0u);
}

TEST(Leave, WithoutSlotsLeavesTheNextNumberToTheNextParticipant) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  submit(*match, ann, spawn_frame(object_at(1, {0, 0})));
  match->step();
  match->apply(Leave{ann.number});
  EXPECT_EQ(join(*match, "ann").number, 1u);
  match->step();
  EXPECT_EQ(join(*match, "bob").number, 0u);
}

TEST(Leave, FreesANumberWithoutObjectsAtOnceSoThatAWaitingMatchCanStart) {
  const auto match = make_match(slot_config());
  const Participant ann = join(*match, "ann");
  submit(*match, ann, spawn_frame(object_at(100, {0, 0})));
  match->apply(Leave{ann.number});
  EXPECT_EQ(join(*match, "ann").number, ann.number);
  match->step();
  EXPECT_EQ(match->object_count(), 0u) << "the frame that waited was given up";
}

TEST(Leave, OfAnUnknownNumberIsIgnored) {
  const auto match = make_match();
  match->apply(Leave{0});
  match->apply(Leave{64});
  match->apply(Leave{4'000'000'000u});
  EXPECT_TRUE(match->participants().empty());
}

TEST(Participants, AreListedByNumber) {
  const auto match = make_match();
  join(*match, "judge", Role::kObserver);
  join(*match, "ann");
  join(*match, "stage", Role::kStage);
  std::vector<std::string> names;
  for (const Participant& participant : match->participants()) names.push_back(participant.name);
  EXPECT_THAT(names, ::testing::ElementsAre("ann", "stage", "judge"));
  EXPECT_EQ(match->find_participant(1)->role, Role::kStage);
  EXPECT_FALSE(match->find_participant(2));
}

}  // namespace
}  // namespace sweepd::match::seats_test
