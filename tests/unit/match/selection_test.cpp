// SPDX-License-Identifier: MIT
//
// Protects what roles may select: on which layers, how large, how often; each at its limit and one past it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::selection_test {
namespace {

using ::testing::HasSubstr;

class Selections : public ::testing::Test {
 protected:
  void start(RoleLimits limits) {
    config_ = small_config();
    config_.clearable_layers = {config_.layers[kEnemyLayer], config_.layers[kItemLayer]};
    config_.limits = {std::move(limits)};
    match_ = make_match(config_);
    stage_ = join(*match_, "stage", Role::kStage);
    player_ = join(*match_, "player");
    spawn(stage_.first_id, kEnemyLayer);
    spawn(stage_.first_id + 1, kItemLayer);
  }

  std::string layer(collision::LayerId index) const { return small_config().layers[index]; }

  void spawn(ObjectId object, collision::LayerId layer) {
    submit(*match_, stage_, spawn_frame(object_at(object, {0, 0}, layer)));
    ASSERT_TRUE(match_->step().rejections.empty());
  }

  const TickOutput& send(const Participant& sender, std::vector<Selection> bombs) {
    Frame frame;
    frame.mass_despawns = std::move(bombs);
    submit(*match_, sender, std::move(frame));
    return match_->step();
  }
  bool is_alive(ObjectId object) const { return match_->find_object(object).has_value(); }

  void expect_refused(std::vector<Selection> bombs, RejectionReason reason, const std::string& field,
                      const std::string& words) {
    const TickOutput& output = send(player_, std::move(bombs));
    ASSERT_EQ(output.rejections.size(), 1u);
    EXPECT_EQ(output.rejections[0].reason, reason);
    EXPECT_EQ(output.rejections[0].field, field);
    EXPECT_THAT(output.rejections[0].message, HasSubstr(words));
  }
  void expect_accepted(std::vector<Selection> bombs) {
    EXPECT_TRUE(send(player_, std::move(bombs)).rejections.empty());
  }

  MatchConfig config_;
  std::unique_ptr<Match> match_;
  Participant stage_;
  Participant player_;
};

TEST_F(Selections, AreOnTheLayersOfTheirRoleOnly) {
  start({.role = Role::kPlayer, .selection_layers = std::vector{layer(kEnemyLayer)}});
  expect_refused({{.layers = {kEnemyLayer, kItemLayer}}}, RejectionReason::kLayerNotAllowed,
                 "mass_despawns[0].layers[1]", "limits[0].selection_layers");
  EXPECT_TRUE(is_alive(stage_.first_id)) << "a selection that is refused does nothing";
  expect_accepted({{}});
  EXPECT_FALSE(is_alive(stage_.first_id));
  EXPECT_TRUE(is_alive(stage_.first_id + 1)) << "all layers are those of the role";
}

TEST_F(Selections, HaveARegionOfASizeThatIsAllowed) {
  start({.role = Role::kPlayer, .selection_size_max = 1000});
  expect_refused({{.region = collision::Box{0, 0, 10, 1001}}}, RejectionReason::kRegionTooLarge,
                 "mass_despawns[0].region", "has an edge of 1001 subunits; at most 1000");
  expect_refused({{.region = collision::kWholeRange}}, RejectionReason::kRegionTooLarge,
                 "mass_despawns[0].region", "4294967295");
  expect_refused({{}}, RejectionReason::kRegionTooLarge, "mass_despawns[0].region", "is everywhere");
  expect_accepted({{.region = collision::Box{-1, 0, 999, 1000}}});
  EXPECT_FALSE(is_alive(stage_.first_id));
}

TEST_F(Selections, ComeAsOftenAsTheirRoleMay) {
  start({.role = Role::kPlayer, .selection_interval_ticks = 3, .selection_burst = 2});
  const Tick begin = match_->tick() + 1;
  expect_refused({{}, {}, {}}, RejectionReason::kTooSoon, "mass_despawns[2]",
                 "the next may come in tick " + std::to_string(begin + 3));
  match_->step();
  expect_refused({{}}, RejectionReason::kTooSoon, "mass_despawns[0]", "one in 3 ticks, and 2 at once");
  ASSERT_EQ(match_->tick() + 1, begin + 3);
  expect_accepted({{}});
  expect_refused({{}}, RejectionReason::kTooSoon, "mass_despawns[0]", "limits[0].selection_interval_ticks");
}

TEST_F(Selections, OfOthersAreNotHeldBack) {
  start({.role = Role::kPlayer, .selection_interval_ticks = 3});
  expect_refused({{}, {}}, RejectionReason::kTooSoon, "mass_despawns[1]", "limits");
  EXPECT_TRUE(send(stage_, {{}, {}}).rejections.empty()) << "a stage has no limits here";
  const Participant other = join(*match_, "other");
  EXPECT_TRUE(send(other, {{}}).rejections.empty()) << "each player has its own pace";
}

TEST_F(Selections, OfAPlayerThatActsAsTheStageAreThoseOfEitherRole) {
  start({.role = Role::kPlayer, .selection_size_max = 10, .selection_interval_ticks = 100});
  Frame frame;
  frame.transfers.push_back({.to = player_.number, .with_stage = true});
  submit(*match_, stage_, frame);
  ASSERT_TRUE(match_->step().rejections.empty());
  expect_accepted({{}, {}});
}

TEST_F(Selections, KeepTheirPaceAcrossASnapshot) {
  start({.role = Role::kPlayer, .selection_interval_ticks = 5});
  expect_accepted({{}});
  const std::string snapshot = match_->save();
  const Tick next = match_->tick() + 5;
  auto restored = Match::restore(config_, snapshot);
  ASSERT_TRUE(restored.ok()) << restored.error().description;
  match_ = std::move(*restored);
  expect_refused({{}}, RejectionReason::kTooSoon, "mass_despawns[0]", std::to_string(next));
  while (match_->tick() + 1 < next) match_->step();
  expect_accepted({{}});
}

}  // namespace
}  // namespace sweepd::match::selection_test
