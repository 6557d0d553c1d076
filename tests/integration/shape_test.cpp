// SPDX-License-Identifier: MIT
//
// Protects shapes on their whole way, from the SDK through a real server and back: each kind meets exactly
// what it touches, a continuous object never tunnels, and every broadphase tells the same log.
#include "integration/support/solo_match.h"

namespace sweepd::test::shape_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kShip = 0;
constexpr std::uint32_t kBullet = 3;

/// "tick enter a b", "tick exit a b REASON", and "@ time" where it is not the tick's end.
std::vector<std::string> lines(const std::vector<Event>& events) {
  std::vector<std::string> result;
  for (const Event& event : events) {
    result.push_back(to_line(event));
    if (event.time_of_impact != kEndOfTick) result.back() += " @ " + std::to_string(event.time_of_impact);
  }
  return result;
}

std::string pair_of(ObjectId a, ObjectId b) { return std::to_string(a) + " " + std::to_string(b); }

/// One player that owns all objects of a match, tick by tick.
class Shapes : public SoloMatchTest {
 protected:
  static MatchConfig config() {
    MatchConfig config = shooter_config(ClockKind::kManual);
    // A frame of one pixel around nothing.
    config.masks = {BitMask::from_text({"#####", "#...#", "#...#", "#...#", "#####"}, 4)};
    return config;
  }

  ObjectId spawn(const Part& part, Vec2 position, Vec2 velocity = {}, bool continuous = false) {
    ObjectSpec spec;
    spec.position = position;
    spec.parts = {part};
    spec.motion = Motion{velocity, {}};
    spec.continuous = continuous;
    return SoloMatchTest::spawn(spec);
  }

  void move(ObjectId id, Vec2 position) { EXPECT_TRUE(session_->move(id, position).ok()); }

  /// The log of one more tick.
  std::vector<std::string> step() {
    SoloMatchTest::step();
    const auto events = events_through(*session_, client_->get_match(match_id_)->tick);
    EXPECT_FALSE(session_->poll_rejection());
    return lines(events);
  }

  std::vector<std::string> play_everything(const MatchConfig& config);
};

TEST_F(Shapes, CirclesMeetAtTheSumOfTheirRadii) {
  begin(config());
  const ObjectId ship = spawn(Part::circle({0, 0}, 4, kShip), {0, 0});
  const ObjectId bullet = spawn(Part::circle({0, 0}, 4, kBullet), {6, 6});
  EXPECT_THAT(step(), IsEmpty()) << "their boxes overlap, they do not";
  move(bullet, {0, 8});
  EXPECT_THAT(step(), ElementsAre("2 enter " + pair_of(ship, bullet))) << "touching counts";
  move(bullet, {0, 8 + 1 / 256.0});
  EXPECT_THAT(step(), ElementsAre("3 exit " + pair_of(ship, bullet) + " MOVED"));
}

TEST_F(Shapes, ABeamMeetsWhatItsLineComesNear) {
  begin(config());
  const ObjectId beam = spawn(Part::capsule({0, 100}, {100, 0}, 2, kBullet), {0, 0});
  const ObjectId ship = spawn(Part::circle({0, 0}, 1, kShip), {50, 40});
  EXPECT_THAT(step(), IsEmpty());
  move(ship, {50, 47});
  EXPECT_THAT(step(), ElementsAre("2 enter " + pair_of(beam, ship)));
  move(ship, {90, 90});
  EXPECT_THAT(step(), ElementsAre("3 exit " + pair_of(beam, ship) + " MOVED"));
}

TEST_F(Shapes, AMaskMeetsWithItsPixelsAlone) {
  begin(config());
  const ObjectId ring = spawn(Part::mask(0, {-10, -10}, kBullet), {0, 0});
  const ObjectId ship = spawn(Part::circle({0, 0}, 5, kShip), {0, 0});
  const ObjectId other = spawn(Part::mask(0, {-10, -10}, kShip), {100, 0});
  EXPECT_THAT(step(), IsEmpty()) << "in the hollow";
  move(ship, {1, 0});
  EXPECT_THAT(step(), ElementsAre("2 enter " + pair_of(ring, ship)));
  move(ship, {0, 0});
  move(other, {20, 0});
  EXPECT_THAT(step(),
              ElementsAre("3 exit " + pair_of(ring, ship) + " MOVED", "3 enter " + pair_of(ring, other)));
  move(other, {20 + 1 / 256.0, 0});
  EXPECT_THAT(step(), ElementsAre("4 exit " + pair_of(ring, other) + " MOVED"));
}

TEST_F(Shapes, AContinuousShotDoesNotTunnelAndSaysWhenItHit) {
  begin(config());
  const ObjectId wall = spawn(Part::box({-0.5, -50, 0.5, 50}, kShip), {0, 0});
  const ObjectId shot = spawn(Part::box({-1, -1, 1, 1}, kBullet), {-1500, 0}, {1000, 0}, true);
  spawn(Part::box({-1, -1, 1, 1}, kBullet), {-1500, 10}, {1000, 0});
  EXPECT_THAT(step(), IsEmpty());
  // From -500 on it is 498.5 to the contact: 127.616 of 256 steps.
  EXPECT_THAT(step(), ElementsAre("2 enter " + pair_of(wall, shot) + " @ 128",
                                  "2 exit " + pair_of(wall, shot) + " SWEPT @ 128"));
  EXPECT_THAT(step(), IsEmpty());
}

TEST_F(Shapes, AContinuousCircleMeetsAnotherThatComesTowardsIt) {
  begin(config());
  const ObjectId shot = spawn(Part::circle({0, 0}, 1, kBullet), {-1500, 0}, {1000, 0}, true);
  const ObjectId ship = spawn(Part::circle({0, 0}, 1, kShip), {1500, 1}, {-1000, 0}, true);
  EXPECT_THAT(step(), IsEmpty());
  const auto events = step();
  ASSERT_EQ(events.size(), 2u);
  // The gap of 1000 closes at 2000 a tick, and contact begins with it at sqrt(3).
  EXPECT_EQ(events[0], "2 enter " + pair_of(shot, ship) + " @ 128");
  EXPECT_EQ(events[1], "2 exit " + pair_of(shot, ship) + " SWEPT @ 128");
}

TEST_F(Shapes, AContinuousShotThatStaysInContactEntersEarlyInItsTick) {
  begin(config());
  const ObjectId ship = spawn(Part::box({-50, -50, 50, 50}, kShip), {0, 0});
  const ObjectId shot = spawn(Part::circle({0, 0}, 1, kBullet), {-201, 0}, {100, 0}, true);
  EXPECT_THAT(step(), IsEmpty());
  EXPECT_THAT(step(), ElementsAre("2 enter " + pair_of(ship, shot) + " @ 128"));
  // At 99 now: an encounter that was open ends with the tick, like any other.
  EXPECT_THAT(step(), ElementsAre("3 exit " + pair_of(ship, shot) + " MOVED"));
}

/// A little of everything, in all directions.
std::vector<std::string> Shapes::play_everything(const MatchConfig& config) {
  begin(config);
  const std::vector<Part> parts = {Part::box({-3, -3, 3, 3}, kShip), Part::circle({0, 0}, 4, kShip),
                                   Part::capsule({-9, -5}, {9, 5}, 1.5, kShip),
                                   Part::mask(0, {-10, -10}, kShip)};
  for (int i = 0; i < 24; ++i) {
    Part part = parts[static_cast<std::size_t>(i) % parts.size()];
    spawn(part, {10.0 * (i % 6), 12.0 * (i / 6)}, {i % 3 - 1.0, i % 5 * 0.25});
    part.layer = kBullet;
    spawn(part, {200 - 7.0 * i, 3.0 * (i % 16)}, {-3 - 20.0 * (i % 4 == 1), 0.5 * (i % 3)}, i % 2 == 1);
  }
  std::vector<std::string> log;
  for (int tick = 0; tick < 60; ++tick) {
    for (const std::string& line : step()) log.push_back(line);
  }
  log.push_back("digest " + std::to_string(session_->digest()));
  return log;
}

TEST_F(Shapes, EveryBroadphaseTellsTheSameLog) {
  MatchConfig config = this->config();
  config.broadphase = BroadphaseKind::kBruteForce;
  const auto expected = play_everything(config);
  EXPECT_GT(expected.size(), 50u);
  for (const auto kind : {BroadphaseKind::kSweepAndPrune, BroadphaseKind::kApproach}) {
    config.broadphase = kind;
    EXPECT_EQ(play_everything(config), expected) << static_cast<int>(kind);
  }
  config.broadphase = BroadphaseKind::kSectorGrid;
  for (const auto scheme : {SectorScheme::kPlain, SectorScheme::kFourShifts, SectorScheme::kHorizontalStrips,
                            SectorScheme::kVerticalStrips}) {
    for (const double sector_size : {0.0, 1.0, 32.0, 4'194'304.0}) {
      config.sector_grid = {scheme, sector_size};
      EXPECT_EQ(play_everything(config), expected) << static_cast<int>(scheme) << " " << sector_size;
    }
  }
}

}  // namespace
}  // namespace sweepd::test::shape_test
