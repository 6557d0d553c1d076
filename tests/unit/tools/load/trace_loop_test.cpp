// SPDX-License-Identifier: MIT
//
// Protects a load that plays a recorded match: it has to be the match that was recorded, however often it
// begins anew, and no frame of it may be refused where a server is late and applies two in one tick.
#include "tools/load/trace_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sweepd/v1/match_service.pb.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tools/load/frame_bytes.h"
#include "tools/sweepctl/trace_parser.h"

namespace sweepd::tools::load::trace_loop_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Object 7 lives twice; 8 moves twice in one tick; 9 is spawned, moved and gone in one.
constexpr char kTrace[] = R"(TRACE 1
L 0 ship
L 1 bullet
M 0 1
P 0 one
P 1 two
P 2 nobody
T 1
F 0
S 7 0 100 200 2 -5 -5 5 5 5 -5 15 5
F 1
S 8 1 0 0 1 0 0 3 3
T 2
F 0
U 7 110 190
F 1
U 8 5 5
U 8 6 7
S 9 1 40 40 1 0 0 3 3
U 9 44 44
D 9
T 4
F 0
D 7
T 40
F 0
S 7 0 -300 0 1 -5 -5 5 5
E
)";

Trace trace() {
  std::istringstream text(kTrace);
  auto parsed = parse_trace(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return *parsed;
}

v1::Frame frame_of(const ClientLoop& loop, std::uint32_t tick) {
  std::string bytes(loop.frame(tick));
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(1, acknowledgement);
  bytes.append(acknowledgement, sizeof acknowledgement);
  v1::PlayRequest request;
  EXPECT_TRUE(request.ParseFromString(bytes));
  return request.frame();
}

v1::Frame whole(const std::string& bytes) {
  v1::PlayRequest request;
  EXPECT_TRUE(request.ParseFromString(bytes));
  return request.frame();
}

/// A server's view of one client's objects: fails where a server would refuse.
class Objects {
 public:
  void apply(const v1::Frame& frame) {
    for (const v1::Spawn& spawn : frame.spawns()) {
      EXPECT_TRUE(places_.try_emplace(spawn.object_id(), Point{spawn.x(), spawn.y()}).second)
          << "ID_IN_USE " << spawn.object_id();
      EXPECT_FALSE(despawned_.contains(spawn.object_id())) << "ID_USED_THIS_TICK " << spawn.object_id();
    }
    std::int64_t id = 0;
    for (int row = 0; row < frame.moves().id_delta_size(); ++row) {
      id += frame.moves().id_delta(row);
      const auto object = places_.find(static_cast<std::uint32_t>(id));
      ASSERT_NE(object, places_.end()) << "UNKNOWN_OBJECT " << id;
      object->second = {object->second.x + frame.moves().dx(row), object->second.y + frame.moves().dy(row)};
    }
    for (int row = 0; row < frame.absolute_moves().object_id_size(); ++row) {
      const auto object = places_.find(frame.absolute_moves().object_id(row));
      ASSERT_NE(object, places_.end()) << "UNKNOWN_OBJECT " << frame.absolute_moves().object_id(row);
      object->second = {frame.absolute_moves().x(row), frame.absolute_moves().y(row)};
    }
    for (const std::uint32_t despawned : frame.despawns()) {
      EXPECT_EQ(places_.erase(despawned), 1u) << "UNKNOWN_OBJECT " << despawned;
      despawned_.insert(despawned);
    }
  }
  void end_tick() { despawned_.clear(); }
  const std::map<std::uint32_t, Point>& places() const { return places_; }

 private:
  std::map<std::uint32_t, Point> places_;
  std::set<std::uint32_t> despawned_;
};

std::map<std::uint32_t, Point> places_of(const v1::Frame& opening) {
  Objects objects;
  objects.apply(opening);
  return objects.places();
}

TEST(LoadTraceLoop, SendsWhatTheParticipantDidTickByTick) {
  const Trace recorded = trace();
  const auto loops = make_trace_loops(recorded);
  ASSERT_EQ(loops.size(), 3u);
  const v1::Frame first = frame_of(loops[0], 0);
  ASSERT_EQ(first.spawns_size(), 1);
  EXPECT_EQ(first.spawns(0).x(), 100);
  EXPECT_EQ(first.spawns(0).y(), 200);
  ASSERT_EQ(first.spawns(0).parts_size(), 2);
  EXPECT_EQ(first.spawns(0).parts(1).box().max_x(), 15);
  EXPECT_EQ(first.spawns(0).parts(1).layer(), 0u);
  const v1::Frame second = frame_of(loops[0], 1);
  EXPECT_THAT(second.moves().dx(), ElementsAre(10));
  EXPECT_THAT(second.moves().dy(), ElementsAre(-10));
  EXPECT_THAT(frame_of(loops[0], 3).despawns(), ElementsAre(first.spawns(0).object_id()));
  const v1::Frame all_in_one = frame_of(loops[1], 1);
  EXPECT_THAT(all_in_one.moves().dx(), ElementsAre(6, 4));
  EXPECT_THAT(all_in_one.moves().dy(), ElementsAre(7, 4));
  EXPECT_THAT(all_in_one.despawns(), ElementsAre(all_in_one.spawns(0).object_id()));
}

TEST(LoadTraceLoop, AfterTheLastTickEverythingIsGoneAndItBeginsAnew) {
  const Trace recorded = trace();
  for (const TraceLoop& loop : make_trace_loops(recorded)) {
    // 40 ticks and the one in which all despawn, filled up to 60, with two ids for each life.
    ASSERT_EQ(loop.ticks(), 2u * 60u);
    Objects objects;
    for (std::uint32_t tick = 0; tick < loop.ticks(); ++tick) {
      v1::Frame frame = frame_of(loop, tick);
      if (loop.probes_in(tick)) frame.clear_moves();  // Of its own spawn in the opening.
      objects.apply(frame);
      objects.end_tick();
      if (tick % 60 >= 40) {
        EXPECT_THAT(objects.places(), IsEmpty()) << tick;
      }
    }
  }
}

TEST(LoadTraceLoop, NothingIsRefusedWhereSeveralFramesComeInOneTick) {
  const Trace recorded = trace();
  for (const TraceLoop& loop : make_trace_loops(recorded)) {
    for (const std::uint32_t frames_per_tick : {2u, 7u, 59u}) {
      Objects objects;
      objects.apply(whole(loop.opening(loop.ticks() - 1)));
      for (std::uint32_t i = 0; i < 3 * loop.ticks(); ++i) {
        objects.apply(frame_of(loop, i % loop.ticks()));
        if (i % frames_per_tick == 0) objects.end_tick();
      }
    }
  }
}

TEST(LoadTraceLoop, CanBeginAnywhere) {
  const Trace recorded = trace();
  for (const TraceLoop& loop : make_trace_loops(recorded)) {
    Objects all_along;
    all_along.apply(whole(loop.opening(loop.ticks() - 1)));
    for (std::uint32_t tick = 0; tick < loop.ticks(); ++tick) {
      all_along.apply(frame_of(loop, tick));
      EXPECT_EQ(places_of(whole(loop.opening(tick))), all_along.places()) << tick;
      const v1::Frame restart = whole(loop.restart(tick));
      for (int row = 0; row < restart.absolute_moves().object_id_size(); ++row) {
        EXPECT_EQ(all_along.places().at(restart.absolute_moves().object_id(row)),
                  (Point{restart.absolute_moves().x(row), restart.absolute_moves().y(row)}));
      }
      // All but the probe's partner, which rests.
      EXPECT_EQ(static_cast<std::size_t>(restart.absolute_moves().object_id_size()) + 1,
                all_along.places().size());
    }
  }
}

TEST(LoadTraceLoop, AWayThatIsTooLongForADifferenceIsGivenByItsEnd) {
  std::istringstream text(
      "TRACE 1\nL 0 ship\nP 0 one\nT 1\nF 0\nS 1 0 -2000000000 0 1 0 0 1 1\nT 2\nF 0\nU 1 2000000000 7\nE\n");
  const auto recorded = parse_trace(text);
  ASSERT_TRUE(recorded.ok()) << recorded.status().message();
  const auto loops = make_trace_loops(*recorded);
  const v1::Frame far = frame_of(loops[0], 1);
  EXPECT_EQ(far.moves().dx_size(), 0);
  EXPECT_THAT(far.absolute_moves().x(), ElementsAre(2'000'000'000));
  EXPECT_THAT(far.absolute_moves().y(), ElementsAre(7));
}

TEST(LoadTraceLoop, WhereAnObjectGoesThatHasRestedForLongIsGivenByItsPlace) {
  std::istringstream text(
      "TRACE 1\nL 0 ship\nP 0 one\nT 1\nF 0\nS 1 0 10 20 1 0 0 1 1\nT 30\nF 0\nU 1 11 22\n"
      "T 100\nF 0\nU 1 13 26\nT 101\nF 0\nU 1 14 28\nE\n");
  const auto recorded = parse_trace(text);
  ASSERT_TRUE(recorded.ok()) << recorded.status().message();
  const auto loops = make_trace_loops(*recorded);
  const std::uint32_t id = frame_of(loops[0], 0).spawns(0).object_id();
  EXPECT_EQ(frame_of(loops[0], 29).moves().id_delta(0), id);
  const v1::Frame late = frame_of(loops[0], 99);
  EXPECT_THAT(late.absolute_moves().object_id(), ElementsAre(id));
  EXPECT_THAT(late.absolute_moves().x(), ElementsAre(13));
  EXPECT_THAT(late.absolute_moves().y(), ElementsAre(26));
  const v1::Frame after = frame_of(loops[0], 100);
  EXPECT_EQ(after.absolute_moves().object_id_size(), 0);
  EXPECT_EQ(after.moves().dy(0), 2);
}

TEST(LoadTraceLoop, IdsOfClientsFollowEachOtherAndAreUsedOnce) {
  const Trace recorded = trace();
  const auto loops = make_trace_loops(recorded);
  // Two lives for each of the first two, none for the third, twice; and two of each one's probe.
  EXPECT_EQ(loops[0].last_id(), 6u);
  EXPECT_EQ(loops[1].last_id(), 12u);
  EXPECT_EQ(loops[2].last_id(), 14u);
  EXPECT_EQ(loops[2].probe().mover, 13u);
}

TEST(LoadTraceLoop, KnowsHowManyObjectsThereAreOnAverage) {
  const Trace recorded = trace();
  const auto loops = make_trace_loops(recorded);
  EXPECT_DOUBLE_EQ(loops[0].objects_mean(), 4.0 / 60);  // Ticks 1 to 3, and 40.
  EXPECT_DOUBLE_EQ(loops[1].objects_mean(), 40.0 / 60);
  EXPECT_DOUBLE_EQ(loops[2].objects_mean(), 0);
}

}  // namespace
}  // namespace sweepd::tools::load::trace_loop_test
