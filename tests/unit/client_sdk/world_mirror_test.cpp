// SPDX-License-Identifier: MIT
//
// Protects the mirror of the world from a server that tells it wrong: a column whose ids do not ascend is an
// error, and a snapshot makes good what went before.
#include "world_mirror.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>

namespace sweepd::internal::world_mirror_test {
namespace {

using ::testing::HasSubstr;
using Deltas = google::protobuf::RepeatedField<std::uint32_t>;

/// Objects 1 to 3 after tick 10.
v1::WorldTick snapshot() {
  v1::WorldTick tick;
  tick.set_tick(10);
  tick.set_is_snapshot(true);
  tick.set_first_kind(1);
  tick.add_kinds();
  for (int i = 0; i < 3; ++i) {
    tick.mutable_appearances()->add_id_delta(1);
    tick.mutable_appearances()->add_kind(1);
  }
  return tick;
}

/// What the mirror says of a tick after the snapshot that has these rows in one column.
Status told(const std::function<Deltas*(v1::WorldTick&)>& column,
            std::initializer_list<std::uint32_t> deltas) {
  WorldMirror mirror;
  EXPECT_TRUE(mirror.apply(snapshot()).ok());
  v1::WorldTick tick;
  for (const std::uint32_t delta : deltas) column(tick)->Add(delta);
  return mirror.apply(tick);
}

TEST(WorldMirror, IdsOfAColumnThatDoNotAscendAreAFaultOfTheServer) {
  const std::function<Deltas*(v1::WorldTick&)> columns[] = {
      [](v1::WorldTick& tick) { return tick.mutable_moves()->mutable_id_delta(); },
      [](v1::WorldTick& tick) { return tick.mutable_teleports()->mutable_id_delta(); },
      [](v1::WorldTick& tick) { return tick.mutable_motions()->mutable_id_delta(); },
      [](v1::WorldTick& tick) { return tick.mutable_hit_points()->mutable_id_delta(); },
      [](v1::WorldTick& tick) { return tick.mutable_states()->mutable_id_delta(); },
      [](v1::WorldTick& tick) { return tick.mutable_late_id_delta(); },
      [](v1::WorldTick& tick) {
        return (tick.departures().empty() ? tick.add_departures() : tick.mutable_departures(0))
            ->mutable_id_delta();
      },
  };
  for (const auto& column : columns) {
    EXPECT_TRUE(told(column, {1, 2}).ok());
    const Status twice = told(column, {2, 0});
    EXPECT_EQ(twice.code(), ErrorCode::kInternal);
    EXPECT_THAT(twice.message(), HasSubstr("names object 2 after object 2"));
    EXPECT_THAT(told(column, {2, ~0u}).message(), HasSubstr("names object 1 after object 2")) << "it wraps";
  }
}

TEST(WorldMirror, AnObjectThatAppearsTwiceIsAFaultOfTheServer) {
  v1::WorldTick tick = snapshot();
  tick.mutable_appearances()->set_id_delta(2, 0);
  WorldMirror mirror;
  EXPECT_THAT(mirror.apply(tick).message(), HasSubstr("names object 2 after object 2"));
}

TEST(WorldMirror, ASnapshotBeginsAnewAfterAFault) {
  WorldMirror mirror;
  ASSERT_TRUE(mirror.apply(snapshot()).ok());
  v1::WorldTick wrong;
  wrong.mutable_late_id_delta()->Add(1);
  wrong.mutable_moves()->mutable_id_delta()->Add(9);
  ASSERT_FALSE(mirror.apply(wrong).ok());
  ASSERT_TRUE(mirror.apply(snapshot()).ok());
  EXPECT_EQ(mirror.objects().size(), 3u);
  EXPECT_TRUE(mirror.is_exact());
  EXPECT_EQ(mirror.tick(), 10u);
}

}  // namespace
}  // namespace sweepd::internal::world_mirror_test
