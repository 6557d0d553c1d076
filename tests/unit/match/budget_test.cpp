// SPDX-License-Identifier: MIT
//
// Protects: what a match may take in all. Objects, parts and selections beyond their budgets are refused with
// the budget's name; a tick that exceeds one of the others ends the match, with the same digest for every
// broadphase. A config has at most what its server allows, and gets that where it says nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/budget_maxima.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::budget_test {
namespace {

using collision::BroadphaseKind;
using collision::Excess;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

MatchConfig config_with(const Budgets& budgets) {
  MatchConfig config = small_config();
  config.budgets = budgets;
  return config;
}

Frame spawns(const Participant& participant, std::uint32_t first, std::uint32_t count,
             collision::LayerId layer = kPlayerLayer) {
  Frame frame;
  for (std::uint32_t i = 0; i < count; ++i) {
    frame.spawns.push_back(object_at(participant.first_id + first + i, {0, 0}, layer));
  }
  return frame;
}

TEST(Budget, OfObjectsIsOfAllParticipantsTogether) {
  const auto match = make_match(config_with({.objects_max = 3}));
  const Participant ann = join(*match, "ann");
  const Participant bob = join(*match, "bob");
  submit(*match, ann, spawns(ann, 0, 2));
  submit(*match, bob, spawns(bob, 0, 2));
  const TickOutput& output = match->step();
  ASSERT_EQ(output.rejections.size(), 1u);
  EXPECT_EQ(output.rejections[0].participant, bob.number);
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kTooManyObjects);
  EXPECT_EQ(output.rejections[0].field, "spawns[1]");
  EXPECT_THAT(output.rejections[0].message,
              HasSubstr("3 objects already, the most it may have (budgets.objects_max)"));
  EXPECT_EQ(match->object_count(), 3u);
  submit(*match, ann, despawn_frame(ann.first_id));
  match->step();
  submit(*match, bob, spawns(bob, 5, 1));
  EXPECT_TRUE(match->step().rejections.empty()) << "one is gone";
}

TEST(Budget, OfPartsIsForSpawnsAndReshapes) {
  const auto match = make_match(config_with({.parts_max = 3}));
  const Participant ann = join(*match, "ann");
  submit(*match, ann, spawns(ann, 0, 2));
  match->step();
  const collision::Part part{.box = {0, 0, 1, 1}};
  Frame frame;
  frame.reshapes = {{ann.first_id, {part, part}}, {ann.first_id + 1, {part, part}}};
  frame.spawns.push_back(object_at(ann.first_id + 9, {0, 0}));
  frame.spawns.back().parts.resize(2, part);
  submit(*match, ann, frame);
  const TickOutput& output = match->step();
  ASSERT_EQ(output.rejections.size(), 2u);
  for (const Rejection& rejection : output.rejections) {
    EXPECT_EQ(rejection.reason, RejectionReason::kTooManyParts);
    EXPECT_THAT(rejection.message,
                HasSubstr("would have 4 parts; at most 3 are allowed (budgets.parts_max)"));
  }
  EXPECT_EQ(output.rejections[0].field, "spawns[0].parts");
  EXPECT_EQ(output.rejections[1].field, "reshapes[1].parts");
}

TEST(Budget, OfSelectionsCountsTheObjectsThatTheyLookAt) {
  const auto match = make_match(config_with({.selected_objects_max = 25}));
  const Participant ann = join(*match, "ann");
  const Participant bob = join(*match, "bob");
  submit(*match, ann, spawns(ann, 0, 10, kItemLayer));
  match->step();
  Frame frame;
  frame.freezes.resize(3);
  submit(*match, ann, frame);
  submit(*match, bob, frame);
  const TickOutput& output = match->step();
  ASSERT_EQ(output.rejections.size(), 2u) << "the third of each";
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kTooManyMassChanges);
  EXPECT_EQ(output.rejections[0].field, "freezes[2]");
  EXPECT_THAT(output.rejections[0].message, HasSubstr("at 30 objects in this tick"));
  EXPECT_THAT(output.rejections[0].message,
              HasSubstr("at most 25 and 100 are allowed (budgets.selected_objects_max)"));
  submit(*match, ann, frame);
  EXPECT_EQ(match->step().rejections.size(), 1u) << "a budget for each tick";
}

TEST(Budget, OfSelectionsOfAllTogetherIsFourTimesThatOfOne) {
  const auto match = make_match(config_with({.selected_objects_max = 10}));
  std::vector<Participant> all;
  for (int i = 0; i < 6; ++i) all.push_back(join(*match, "participant " + std::to_string(i)));
  submit(*match, all[0], spawns(all[0], 0, 10, kItemLayer));
  match->step();
  Frame frame;
  frame.releases.resize(1);
  for (const Participant& participant : all) submit(*match, participant, frame);
  const TickOutput& output = match->step();
  ASSERT_EQ(output.rejections.size(), 2u);
  EXPECT_EQ(output.rejections[0].participant, all[4].number);
}

/// Ends in tick 3, in which a fourth pair begins; one object went in that tick.
std::unique_ptr<Match> exceeding(const Budgets& budgets, BroadphaseKind broadphase) {
  MatchConfig config = config_with(budgets);
  config.broadphase = broadphase;
  auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  submit(*match, ann, spawns(ann, 0, 1));
  submit(*match, ann, spawns(ann, 1, 1, kEnemyLayer));
  match->step();
  submit(*match, ann, spawns(ann, 2, 1, kEnemyLayer));
  match->step();
  submit(*match, ann, despawn_frame(ann.first_id + 1));
  submit(*match, ann, spawns(ann, 10, 3, kEnemyLayer));
  match->step();
  return match;
}

TEST(Budget, ATickThatExceedsItIsTheLastWithEveryBroadphase) {
  const std::pair<Budgets, Excess> cases[] = {{{.overlapping_pairs_max = 3}, Excess::kOverlappingPairs},
                                              {{.events_per_tick_max = 3}, Excess::kEvents}};
  for (const auto& [budgets, excess] : cases) {
    const auto first = exceeding(budgets, BroadphaseKind::kSweepAndPrune);
    EXPECT_TRUE(first->ended());
    EXPECT_EQ(first->excess(), excess);
    EXPECT_EQ(first->tick(), 3u);
    EXPECT_EQ(first->last_sequence_number(), 4u) << "two ENTERs, and their EXITs";
    EXPECT_EQ(first->object_count(), 0u);
    for (const auto kind : collision::kBroadphaseKinds) {
      const auto other = exceeding(budgets, kind);
      EXPECT_TRUE(other->ended());
      EXPECT_EQ(other->digest(), first->digest());
    }
  }
}

TEST(Budget, ThatNoTickExceedsLeavesTheDigestAsItIs) {
  const Budgets enough{100, 100, 100, 100, 100, 100};
  EXPECT_EQ(exceeding(enough, BroadphaseKind::kSweepAndPrune)->digest(),
            exceeding({}, BroadphaseKind::kSweepAndPrune)->digest());
}

TEST(BudgetMaxima, FillWhatAConfigDoesNotSay) {
  const BudgetMaxima maxima;
  MatchConfig config = config_with({.events_per_tick_max = 7});
  EXPECT_FALSE(fill_budgets(maxima, config));
  EXPECT_EQ(config.budgets.events_per_tick_max, 7u);
  EXPECT_EQ(config.budgets.objects_max, maxima.objects_max);
  EXPECT_EQ(config.budgets.parts_max, maxima.parts_max);
  EXPECT_EQ(config.budgets.overlapping_pairs_max, maxima.overlapping_pairs_max);
  EXPECT_EQ(config.budgets.tests_per_tick_max, maxima.tests_per_tick_max);
  EXPECT_EQ(config.budgets.selected_objects_max, maxima.selected_objects_max);
  MatchConfig brute = small_config();
  brute.broadphase = BroadphaseKind::kBruteForce;
  EXPECT_FALSE(fill_budgets(maxima, brute));
  EXPECT_EQ(brute.budgets.parts_max, parts_max_of(BroadphaseKind::kBruteForce));
  MatchConfig old = small_config();
  old.history_ticks = kHistoryTicksMax;
  EXPECT_FALSE(fill_budgets(maxima, old));
  EXPECT_LE(std::uint64_t{*old.budgets.objects_max} * kHistoryTicksMax * kHistoryBytesPerObject,
            maxima.history_bytes_max);
}

void expect_beyond(const BudgetMaxima& maxima, MatchConfig config, const std::string& field,
                   const std::string& limit) {
  const auto error = fill_budgets(maxima, config);
  ASSERT_TRUE(error) << field;
  EXPECT_EQ(error->field, field);
  EXPECT_THAT(error->description, HasSubstr(limit));
}

TEST(BudgetMaxima, RefuseMoreWithFieldAndLimit) {
  const BudgetMaxima maxima{.objects_max = 10,
                            .parts_max = 11,
                            .overlapping_pairs_max = 12,
                            .tests_per_tick_max = 13,
                            .events_per_tick_max = 14,
                            .selected_objects_max = 15,
                            .mask_bytes_max = 3,
                            .history_bytes_max = 12'000,
                            .broadphases = 1};
  expect_beyond(maxima, config_with({.objects_max = 11}), "history_ticks", "at most 109");
  expect_beyond(maxima, config_with({.parts_max = 12}), "budgets.parts_max",
                "is 12; this server allows at most 11");
  expect_beyond(maxima, config_with({.overlapping_pairs_max = 13}), "budgets.overlapping_pairs_max",
                "at most 12");
  expect_beyond(maxima, config_with({.tests_per_tick_max = 14}), "budgets.tests_per_tick_max", "at most 13");
  expect_beyond(maxima, config_with({.events_per_tick_max = 15}), "budgets.events_per_tick_max",
                "at most 14");
  expect_beyond(maxima, config_with({.selected_objects_max = 16}), "budgets.selected_objects_max",
                "at most 15");
  MatchConfig present = config_with({.objects_max = 11});
  present.history_ticks = 0;
  expect_beyond(maxima, present, "budgets.objects_max", "is 11; this server allows at most 10");
  MatchConfig masked = small_config();
  masked.masks = {{.width = 8, .height = 4, .pixel_size = 1, .rows = std::string(4, '\1')}};
  expect_beyond(maxima, masked, "masks", "have 4 bytes of rows in all; this server allows at most 3");
  MatchConfig grid = small_config();
  grid.broadphase = BroadphaseKind::kSectorGrid;
  expect_beyond(maxima, grid, "broadphase", "does not offer");
}

TEST(BudgetConfig, HasNumbersInItsRange) {
  for (const std::uint32_t number : {0u, 1'000'000'001u}) {
    const auto error = find_error(config_with({.tests_per_tick_max = number}));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->field, "budgets.tests_per_tick_max");
    EXPECT_THAT(error->description, HasSubstr("1 to 1000000000"));
  }
  EXPECT_FALSE(find_error(config_with({1, 1, 1, 1, 1, 1'000'000'000})));
}

}  // namespace
}  // namespace sweepd::match::budget_test
