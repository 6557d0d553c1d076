// SPDX-License-Identifier: MIT
//
// Protects the load that is put on servers: it has to be the scene that it says it is, and to go on for ever.
#include "tools/load/scene.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace sweepd::tools::load::scene_test {
namespace {

std::map<std::string, std::size_t> census(const Scene& scene) {
  std::map<std::string, std::size_t> counts;
  for (const Actor& actor : scene.actors) ++counts[scene.layers.at(actor.layer)];
  return counts;
}

TEST(LoadScene, W1HasTheActorsOfAShootEmUp) {
  const std::map<std::string, std::size_t> expected = {
      {"player", 2}, {"shot", 40}, {"enemy", 64}, {"power_up", 20}, {"bullet", 300}};
  const Scene scene = gunbird();
  EXPECT_EQ(census(scene), expected);
  std::size_t parts = 0;
  for (const Actor& actor : scene.actors) parts += actor.parts.size();
  EXPECT_EQ(parts, 2u + 40 + 60 + 4 * 8 + 20 + 300);
}

TEST(LoadScene, W2HasTheActorsOfABulletHell) {
  const std::map<std::string, std::size_t> expected = {
      {"player", 4}, {"shot", 400}, {"enemy", 100}, {"bullet", 5000}};
  EXPECT_EQ(census(bullet_hell()), expected);
}

TEST(LoadScene, FlightsFollowEachOtherAroundTheLoopWithoutAGap) {
  const Scene scene = gunbird();
  std::size_t flyers = 0;
  for (const Actor& actor : scene.actors) {
    if (actor.flights.empty()) continue;
    ++flyers;
    ASSERT_GE(actor.flights.size(), 2u);
    std::uint32_t ticks = 0;
    for (std::size_t i = 0; i < actor.flights.size(); ++i) {
      const Flight& flight = actor.flights[i];
      const Flight& next = actor.flights[(i + 1) % actor.flights.size()];
      EXPECT_GT(flight.ticks, 0u);
      EXPECT_EQ((flight.begin_tick + flight.ticks) % scene.ticks, next.begin_tick);
      ticks += flight.ticks;
    }
    EXPECT_EQ(ticks, scene.ticks);
  }
  EXPECT_EQ(flyers, 360u);
}

TEST(LoadScene, ThePathOfAFlyerIsThatOfTheServersMotion) {
  const Scene scene = gunbird();
  for (const Actor& actor : scene.actors) {
    for (const Flight& flight : actor.flights) {
      Point at = flight.start;
      for (std::uint32_t n = 0; n < flight.ticks; ++n) {
        at = {at.x + flight.velocity.x, at.y + flight.velocity.y};
        ASSERT_EQ(actor.path[(flight.begin_tick + n) % scene.ticks], at);
      }
    }
  }
}

// A jump where the loop is closed would be a tick unlike all others.
TEST(LoadScene, WhoStaysOnThePlayfieldMovesSmoothlyAlsoWhereTheLoopIsClosed) {
  const Scene scene = gunbird();
  const int longest = 4 * static_cast<int>(kSubunitsPerPixel);
  for (const Actor& actor : scene.actors) {
    if (!actor.flights.empty()) continue;
    ASSERT_EQ(actor.path.size(), scene.ticks);
    for (std::uint32_t tick = 0; tick < scene.ticks; ++tick) {
      const Point& from = actor.path[tick];
      const Point& to = actor.path[(tick + 1) % scene.ticks];
      EXPECT_LE(std::abs(to.x - from.x), longest);
      EXPECT_LE(std::abs(to.y - from.y), longest);
      EXPECT_GE(to.x, 0);
      EXPECT_LE(to.x + actor.parts.back().max_x, scene.field.x);
    }
  }
}

TEST(LoadScene, AFinerResolutionIsTheSameScene) {
  const Scene coarse = gunbird(8), fine = gunbird(256);
  ASSERT_EQ(coarse.actors.size(), fine.actors.size());
  EXPECT_EQ(fine.field.x, 32 * coarse.field.x);
  EXPECT_EQ(fine.actors.back().flights.size(), coarse.actors.back().flights.size());
}

}  // namespace
}  // namespace sweepd::tools::load::scene_test
