// SPDX-License-Identifier: MIT
//
// Protects what the server says of earlier ticks: every query gets the answer that it would have got then, as
// far back as the match's config says, and one tick further is refused with the ticks that are known.
#include "integration/support/solo_match.h"

namespace sweepd::test::past_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kPlayer = 0;
constexpr std::uint32_t kEnemy = 2;
constexpr std::uint32_t kHistoryTicks = 10;

class PastTest : public SoloMatchTest {
 protected:
  void start_match(std::uint32_t history_ticks = kHistoryTicks) {
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.history_ticks = history_ticks;
    config.masks = {BitMask::from_text({"##", ".#"})};
    begin(config);
  }
};

TEST_F(PastTest, EveryQueryTellsWhereThingsWere) {
  start_match();
  const ObjectId ship = spawn(object_at({0, 0}, kPlayer));
  ObjectSpec flying = object_at({0, 0}, kEnemy);
  flying.motion = Motion{{16, 0}, {0, 0}};
  const ObjectId enemy = spawn(flying);  // At the end of tick t it is at 16 t.
  step(2);
  ASSERT_TRUE(session_->move(ship, {0, 100}).ok());
  step();
  EXPECT_THAT(*client_->query_region(match_id_, Box{-1, -1, 1, 1}, {}, 2), ElementsAre(PartName{ship, 0}));
  EXPECT_THAT(*client_->query_region(match_id_, Box{-1, -1, 1, 1}, {}, 3), IsEmpty());
  const auto hits = client_->cast_ray(match_id_, {16, -20}, {16, 20}, {kEnemy}, 1, 1);
  ASSERT_EQ(hits->size(), 1u);
  EXPECT_EQ((*hits)[0].part, (PartName{enemy, 0}));
  EXPECT_NEAR((*hits)[0].distance, 0.4, 1.0 / 65536);  // Its edge is 4 from the middle.
  EXPECT_THAT(*client_->cast_ray(match_id_, {16, -20}, {16, 20}, {kEnemy}, 1, 2), IsEmpty());
  EXPECT_EQ((*client_->find_nearest(match_id_, {40, 0}, {}, 2))->part, (PartName{enemy, 0}));
  EXPECT_EQ((*client_->find_nearest(match_id_, {40, 0}, {}, 2))->distance, 4);
  EXPECT_EQ((*client_->find_nearest(match_id_, {40, 0}))->distance, 4) << "now it is at 48";
}

TEST_F(PastTest, EncountersThatHaveEndedWereOpenThen) {
  start_match();
  const ObjectId ship = spawn(object_at({0, 0}, kPlayer));
  const ObjectId enemy = spawn(object_at({0, 0}, kEnemy));
  step(2);
  ASSERT_TRUE(session_->despawn(enemy).ok());
  step();
  EXPECT_THAT(*client_->list_encounters(match_id_), IsEmpty());
  const auto encounters = client_->list_encounters(match_id_, 0, 2);
  ASSERT_TRUE(encounters.ok()) << encounters.status().message();
  ASSERT_EQ(encounters->size(), 1u);
  EXPECT_EQ((*encounters)[0].object_a, ship);
  EXPECT_EQ((*encounters)[0].object_b, enemy);
  EXPECT_EQ((*encounters)[0].since_tick, 1u);
  EXPECT_EQ(client_->list_encounters(match_id_, enemy, 2)->size(), 1u);
}

TEST_F(PastTest, TheWorldIsToldAsItWas) {
  start_match();
  ObjectSpec boss;
  boss.position = {10, 20};
  boss.parts = {Part::box({-1, -2, 3, 4}, kEnemy), Part::circle({1, 0}, 2.5, kEnemy),
                Part::capsule({-4, 8}, {4, -8}, 1, kPlayer), Part::mask(0, {5, 6}, kEnemy)};
  boss.motion = Motion{{1, -1}, {0.5, 0}};
  const ObjectId id = spawn(boss);
  step();
  ASSERT_TRUE(session_->reshape(id, {{centered_box(2, 2), kPlayer}}).ok());
  ASSERT_TRUE(session_->disable(id).ok());
  step();
  const auto past = client_->get_world(match_id_, 1);
  ASSERT_TRUE(past.ok()) << past.status().message();
  EXPECT_EQ(past->tick, 1u);
  ASSERT_EQ(past->objects.size(), 1u);
  const ObjectState& object = past->objects[0];
  EXPECT_EQ(object.id, id);
  EXPECT_EQ(object.owner, session_->participant()->number);
  EXPECT_EQ(object.position.x, 11.5);
  EXPECT_EQ(object.position.y, 19);
  EXPECT_EQ(object.motion.velocity.x, 1.5);
  EXPECT_EQ(object.motion.acceleration.x, 0.5);
  EXPECT_FALSE(object.is_disabled);
  ASSERT_EQ(object.parts.size(), 4u);
  EXPECT_EQ(std::get<Box>(object.parts[0].shape).max_y, 4);
  EXPECT_EQ(std::get<Circle>(object.parts[1].shape).radius, 2.5);
  const Capsule& capsule = std::get<Capsule>(object.parts[2].shape);
  EXPECT_EQ(capsule.a.y, 8);
  EXPECT_EQ(capsule.b.y, -8);
  EXPECT_EQ(object.parts[2].layer, kPlayer);
  EXPECT_EQ(std::get<MaskShape>(object.parts[3].shape).corner.y, 6);
  const auto now = client_->get_world(match_id_);
  EXPECT_EQ(now->tick, 2u);
  EXPECT_TRUE(now->objects.at(0).is_disabled);
  EXPECT_EQ(now->objects.at(0).parts.size(), 1u);
}

TEST_F(PastTest, AWorldOfManyObjectsComesInSeveralCalls) {
  start_match();
  std::vector<ObjectId> ids;
  for (int i = 0; i < 4'100; ++i) ids.push_back(spawn(object_at({0, 0}, kPlayer)));
  step(2);
  for (const Tick at_tick : {Tick{0}, Tick{1}}) {
    std::vector<ObjectId> seen;
    const auto world = client_->get_world(match_id_, at_tick);
    for (const ObjectState& object : world->objects) seen.push_back(object.id);
    EXPECT_EQ(seen, ids);
  }
}

TEST_F(PastTest, WhatIsTooOldOrInTheFutureIsRefusedWithTheTicksThatAreKnown) {
  start_match();
  EXPECT_THAT(client_->get_world(match_id_, 1).status().message(), HasSubstr("no tick has run yet"));
  spawn(object_at({0, 0}, kPlayer));
  step(15);
  const auto expect_range = [](const Status& status) {
    EXPECT_EQ(status.code(), ErrorCode::kOutOfRange);
    EXPECT_EQ(status.reason(), "TICK_NOT_KNOWN");
    EXPECT_EQ(status.field(), "at_tick");
    EXPECT_THAT(status.message(), HasSubstr("ticks 5 to 15 are known"));
  };
  EXPECT_EQ(client_->get_world(match_id_, 5)->objects.size(), 1u) << "the oldest";
  expect_range(client_->get_world(match_id_, 4).status());
  expect_range(client_->get_world(match_id_, 16).status());
  expect_range(client_->query_region(match_id_, Box{0, 0, 1, 1}, {}, 4).status());
  expect_range(client_->cast_ray(match_id_, {0, 0}, {1, 1}, {}, 1, 16).status());
  expect_range(client_->find_nearest(match_id_, {0, 0}, {}, 4).status());
  expect_range(client_->list_encounters(match_id_, 0, 16).status());
  EXPECT_TRUE(client_->find_nearest(match_id_, {0, 0}, {}, 15).ok()) << "the last";
}

TEST_F(PastTest, AMatchWithoutHistoryKnowsItsLastTickOnly) {
  start_match(0);
  spawn(object_at({0, 0}, kPlayer));
  step(2);
  EXPECT_EQ(client_->get_match(match_id_)->config.history_ticks, 0u);
  EXPECT_EQ(client_->get_world(match_id_, 2)->objects.size(), 1u);
  EXPECT_THAT(client_->get_world(match_id_, 1).status().message(), HasSubstr("ticks 2 to 2 are known"));
}

}  // namespace
}  // namespace sweepd::test::past_test
