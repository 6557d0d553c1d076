// SPDX-License-Identifier: MIT
//
// Protects other matches from one whose rules of visibility have too much to look at in a tick: it ends for
// its budget of tests, followed or not, and what it remembers of who sees what is counted.
#include "runtime/feed/sight_log.h"

#include "runtime/match/match_host.h"
#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::sight_log_test {
namespace {

constexpr collision::LayerId kEye = 0;
constexpr collision::LayerId kShip = 1;
constexpr collision::LayerId kShot = 2;
constexpr std::uint32_t kEyes = 20;
/// To find the anchors; then a far place takes one test.
constexpr std::uint32_t kTestsOfEyes = kEyes / 4;
constexpr std::uint32_t kPlacesMax = 3;

match::MatchConfig seeing_config() {
  match::MatchConfig config;
  config.layers = {"eye", "ship", "shot"};
  config.collides = {{"ship", "shot"}};
  config.clock = match::ClockKind::kManual;
  for (const collision::LayerId layer : {kEye, kShip}) {
    const collision::Part part{.box = {0, 0, 10, 10}, .layer = layer};
    config.templates.push_back(
        {.name = config.layers[layer], .shapes = {{{part}}}, .spawn = {.alive_max = match::kAnchorsMax}});
  }
  config.visibility = {{.layer = "ship", .sees = match::Sight::kNear, .near = "eye", .distance_max = 100}};
  config.budgets.tests_per_tick_max = kTestsOfEyes + kPlacesMax;
  return config;
}

collision::ObjectSpec templated(match::ObjectId id, collision::LayerId layer, int x) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.kind = layer + 1u;
  spec.position = {x, 0};
  return spec;
}

/// Of the stage, which has no templates: ships, each with a shot on it, at places of their own far away.
match::Frame frame_with_contacts(match::ObjectId first, std::uint32_t places, std::uint32_t at_each = 1) {
  match::Frame frame;
  for (std::uint32_t i = 0; i < places * at_each; ++i) {
    for (const collision::LayerId layer : {kShip, kShot}) {
      collision::ObjectSpec spec = frame_with_spawn(first++, layer).spawns[0];
      spec.position = {static_cast<int>(100'000 * (1 + i % places)), 0};
      frame.spawns.push_back(spec);
    }
  }
  return frame;
}

class SightLogTest : public MatchHostTest {
 protected:
  /// Ann has eyes.
  MatchHost& start() {
    MatchHost& host = create(seeing_config());
    ann_number_ = join(host, ann_, "ann");
    ann_id_ = first_id_;
    match::Frame frame;
    for (std::uint32_t i = 0; i < kEyes; ++i) frame.spawns.push_back(templated(ann_id_ + i, kEye, 0));
    host.submit(ann_number_, frame);
    stage_number_ = join(host, stage_, "stage", Role::kStage);
    stage_id_ = first_id_;
    run_tick(host);
    return host;
  }

  void run_tick(MatchHost& host) {
    step(host, 1);
    run_for(milliseconds(2));
  }

  FakeSubscriber ann_;
  FakeSubscriber stage_;
  match::ParticipantNumber ann_number_ = 0;
  match::ParticipantNumber stage_number_ = 0;
  match::ObjectId ann_id_ = 0;
  match::ObjectId stage_id_ = 0;
};

TEST_F(SightLogTest, ATickWithinTheBudgetGoesOn) {
  MatchHost& host = start();
  host.submit(stage_number_, frame_with_contacts(stage_id_, kPlacesMax, 30));
  run_tick(host);
  EXPECT_GE(stage_.events, kPlacesMax * 30u);
  EXPECT_EQ(ann_.events, 0u);
  EXPECT_FALSE(host.match().ended()) << "a place is looked at once, however many are there";
  host.end();
}

TEST_F(SightLogTest, ATickBeyondTheBudgetIsTheLastAndTellsOwnersTheirOwn) {
  MatchHost& host = start();
  match::Frame ship;
  ship.spawns = {templated(ann_id_ + kEyes, kShip, -100'000)};
  host.submit(ann_number_, ship);
  match::Frame contacts = frame_with_contacts(stage_id_, kPlacesMax + 1);
  collision::ObjectSpec shot = frame_with_spawn(stage_id_ + 100, kShot).spawns[0];
  shot.position = {-100'000, 0};
  contacts.spawns.push_back(shot);
  host.submit(stage_number_, contacts);
  step(host, 1);
  run_for(milliseconds(2));
  EXPECT_TRUE(ann_.has_ended);
  EXPECT_TRUE(stage_.has_ended);
  EXPECT_EQ(ann_.events, 2u) << "that of her ship, from beginning to end";
  EXPECT_EQ(stage_.events, 2u * (kPlacesMax + 2));
  const auto count = loop_.figures().matches_ended_for[static_cast<std::size_t>(EndCause::kTests)].value();
  EXPECT_EQ(count, 1u);
}

TEST_F(SightLogTest, TheBudgetIsThatOfTheMatchAndNotOfWhoFollows) {
  for (const std::uint32_t places : {kPlacesMax, kPlacesMax + 1}) {
    auto match = std::move(*match::Match::create(seeing_config()));
    SightLog sight(*match);
    const auto ann = *match->apply(match::Join{"ann", Role::kPlayer});
    const auto stage = *match->apply(match::Join{"stage", Role::kStage});
    match::Frame eyes;
    for (std::uint32_t i = 0; i < kEyes; ++i) eyes.spawns.push_back(templated(ann.first_id + i, kEye, 0));
    match->apply(match::Submission{ann.number, eyes});
    sight.take(match->step());
    match->apply(match::Submission{stage.number, frame_with_contacts(stage.first_id, places)});
    sight.take(match->step());
    EXPECT_EQ(sight.is_over_budget(), places > kPlacesMax) << "nobody follows it";
    EXPECT_FALSE(match->ended()) << "it is for the host to end it, as an input that is recorded";
  }
}

TEST_F(SightLogTest, ItsMemoryIsCountedAndGivenBack) {
  MatchHost& host = start();
  EXPECT_EQ(loop_.figures().sight_bytes.value(), 0u);
  host.submit(stage_number_, frame_with_contacts(stage_id_, kPlacesMax));
  run_tick(host);
  EXPECT_EQ(loop_.figures().sight_bytes.value(), host.sight()->bytes());
  EXPECT_GT(host.sight()->bytes(), 0u);
  host.end();
  run_for(milliseconds(2));
  EXPECT_EQ(loop_.figures().sight_bytes.value(), 0u);
}

}  // namespace
}  // namespace sweepd::runtime::sight_log_test
