// SPDX-License-Identifier: MIT
//
// Protects the rule that an id in use is never handed out, and that a freed one comes back in a later frame
// only.
#include "object_ids.h"

#include <gtest/gtest.h>

namespace sweepd::internal::object_ids_test {
namespace {

ObjectId take(ObjectIds* ids, bool ends_by_itself = false) {
  const ObjectId id = ids->next_free();
  if (id != 0) ids->spawned(id, ends_by_itself);
  return id;
}

TEST(ObjectIds, GoThroughTheBlockInOrder) {
  ObjectIds ids(100, 102);
  EXPECT_EQ(take(&ids), 100u);
  EXPECT_EQ(take(&ids), 101u);
  EXPECT_EQ(take(&ids), 102u);
  EXPECT_EQ(take(&ids), 0u) << "all are in use";
}

TEST(ObjectIds, BeginWhereTheyAreToldToAndGoRoundTheBlock) {
  ObjectIds ids(100, 102, 3 + 2);
  EXPECT_EQ(take(&ids), 102u);
  EXPECT_EQ(take(&ids), 100u);
  EXPECT_EQ(take(&ids), 101u);
  EXPECT_EQ(take(&ids), 0u);
}

TEST(ObjectIds, AFreeIdStaysFreeUntilItIsSpawned) {
  ObjectIds ids(100, 102);
  EXPECT_EQ(ids.next_free(), 100u);
  EXPECT_EQ(ids.next_free(), 100u);
}

TEST(ObjectIds, AnIdDespawnedInThisFrameComesBackInTheNext) {
  ObjectIds ids(1, 2);
  take(&ids);
  take(&ids);
  ids.frame_sent();
  ids.despawned(1);
  EXPECT_TRUE(ids.in_use(1));
  EXPECT_EQ(take(&ids), 0u);
  ids.frame_sent();
  EXPECT_FALSE(ids.in_use(1));
  EXPECT_EQ(take(&ids), 1u);
}

TEST(ObjectIds, AFreedIdIsNotUsedBeforeTheRestOfTheBlock) {
  ObjectIds ids(1, 4);
  EXPECT_EQ(take(&ids), 1u);
  ids.frame_sent();
  ids.despawned(1);
  ids.frame_sent();
  EXPECT_EQ(take(&ids), 2u);
  EXPECT_EQ(take(&ids), 3u);
  EXPECT_EQ(take(&ids), 4u);
  EXPECT_EQ(take(&ids), 1u);
}

TEST(ObjectIds, LeaveOutIdsThatTheGameTookItself) {
  ObjectIds ids(1, 4);
  ids.spawned(2, false);
  EXPECT_EQ(take(&ids), 1u);
  EXPECT_EQ(take(&ids), 3u);
}

TEST(ObjectIds, ObjectsThatEndByThemselvesNeverUseUpTheBlock) {
  ObjectIds ids(1, 16);
  ids.spawned(1, false);
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_GT(take(&ids, true), 1u);
    ids.frame_sent();
  }
}

TEST(ObjectIds, AnObjectThatEndsByItselfHoldsItsIdForItsFrame) {
  ObjectIds ids(1, 16);
  ids.spawned(5, true);
  EXPECT_TRUE(ids.in_use(5));
  ids.frame_sent();
  EXPECT_FALSE(ids.in_use(5));
}

TEST(ObjectIds, ARefusedSpawnHoldsNoId) {
  ObjectIds ids(1, 1);
  take(&ids);
  ids.frame_sent();
  EXPECT_EQ(take(&ids), 0u);
  ids.refused(1);
  EXPECT_EQ(take(&ids), 1u);
}

TEST(ObjectIds, TheLastIdOfAllIsFollowedByTheFirstOfTheBlock) {
  ObjectIds ids(0xFFFFFFFE, 0xFFFFFFFF);
  EXPECT_EQ(take(&ids, true), 0xFFFFFFFEu);
  EXPECT_EQ(take(&ids, true), 0xFFFFFFFFu);
  ids.frame_sent();
  EXPECT_EQ(take(&ids, true), 0xFFFFFFFEu);
}

TEST(ObjectIds, ABlockThatEndsBeforeItBeginsIsEmpty) {
  ObjectIds ids(100, 99);
  EXPECT_TRUE(ids.empty());
  EXPECT_EQ(ids.next_free(), 0u);
}

TEST(ObjectIds, AnObserverHasNone) {
  ObjectIds ids;
  EXPECT_TRUE(ids.empty());
  EXPECT_EQ(ids.next_free(), 0u);
  EXPECT_FALSE(ids.contains(0));
}

}  // namespace
}  // namespace sweepd::internal::object_ids_test
