// SPDX-License-Identifier: MIT
//
// Protects the rules on who sees what: each at its bound and one past it, and which configs have none.
#include "match/visibility/visibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/config.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::visibility_test {
namespace {

MatchConfig config_with(std::vector<VisibilityRule> rules) {
  MatchConfig config;
  config.layers = {"ship", "shot"};
  config.templates = {
      {.name = "ship", .shapes = {{{{.box = {-1, -1, 1, 1}}}}}, .spawn = {.alive_max = kAnchorsMax}}};
  config.visibility = std::move(rules);
  return config;
}

std::string field_of_error(const MatchConfig& config) {
  const auto error = find_error(config);
  return error ? error->field : "";
}

constexpr auto kNowhereNear = [](auto...) { return SeatBits{0}; };

TEST(VisibilityConfig, NamesTheFieldAtFault) {
  EXPECT_EQ(field_of_error(config_with({{.layer = "ship"}, {.role = Role::kObserver, .layer = "ship"}})), "");
  EXPECT_EQ(field_of_error(config_with({{.role = Role::kStage, .layer = "ship"}})), "visibility[0].role");
  EXPECT_EQ(field_of_error(config_with({{.layer = "boss"}})), "visibility[0].layer");
  EXPECT_EQ(field_of_error(config_with({{.layer = "ship"}, {.layer = "ship"}})), "visibility[1].layer");
  EXPECT_EQ(field_of_error(config_with({{.layer = "ship", .sees = Sight::kNear}})), "visibility[0].near");
  EXPECT_EQ(field_of_error(config_with({{.layer = "ship", .near = "ship"}})), "visibility[0].near");
  EXPECT_EQ(field_of_error(config_with({{.layer = "ship", .sees = Sight::kNear, .near = "boss"}})),
            "visibility[0].near");
}

TEST(VisibilityConfig, BoundsAnchorsAndTheDelayOfObservers) {
  MatchConfig config = config_with({{.layer = "ship", .sees = Sight::kNear, .near = "ship"}});
  EXPECT_EQ(field_of_error(config), "");
  config.templates[0].spawn.alive_max = kAnchorsMax + 1;
  EXPECT_EQ(field_of_error(config), "visibility[0].near");
  config = config_with({});
  config.observer_delay_ticks = config.history_ticks;
  EXPECT_EQ(field_of_error(config), "");
  ++config.observer_delay_ticks;
  EXPECT_EQ(field_of_error(config), "observer_delay_ticks");
  config.history_ticks = 3600;
  config.retained_ticks = config.observer_delay_ticks - 1;
  EXPECT_EQ(field_of_error(config), "observer_delay_ticks");
  config.retained_ticks = 36'000;
  config.observer_delay_ticks = 3600;
  EXPECT_EQ(field_of_error(config), "");
}

/// A frame with a change of each kind that names an object.
Frame changes_of(ObjectId object) {
  Frame frame;
  frame.reshapes = {{object, {{.box = {-1, -1, 1, 1}}}}};
  frame.layer_changes = {{object, std::nullopt, 1}};
  frame.moves = {{object, {5, 5}}, {object, {6, 6}}};
  frame.relative_moves = 1;
  frame.teleports = {{object, {7, 7}}};
  frame.motions = {{object, {{1, 0}, {}}}};
  frame.disables = {{object, 0}};
  frame.enables = {object};
  frame.despawns = {object};
  return frame;
}

/// What a player is told of changes to an object of another, and to one that does not exist.
std::vector<std::string> refusals_of(std::vector<VisibilityRule> rules, bool is_there) {
  const auto match = make_match(config_with(std::move(rules)));
  const Participant ann = join(*match, "ann");
  const Participant stage = join(*match, "stage", Role::kStage);
  if (is_there) submit(*match, stage, spawn_frame(object_at(stage.first_id, {})));
  match->step();
  submit(*match, ann, changes_of(stage.first_id));
  std::vector<std::string> texts;
  for (const Rejection& rejection : match->step().rejections)
    texts.push_back(std::to_string(static_cast<int>(rejection.reason)) + " " + rejection.field + " " +
                    rejection.message);
  return texts;
}

TEST(VisibilityTest, RefusalsDoNotTellWhetherAnObjectOfAnotherExists) {
  const std::vector<VisibilityRule> rules = {{.layer = "ship"}};
  EXPECT_EQ(refusals_of(rules, true).size(), 9u);
  EXPECT_EQ(refusals_of(rules, true), refusals_of(rules, false));
  EXPECT_NE(refusals_of({}, true), refusals_of({}, false)) << "where nothing is hidden, they are exact";
}

TEST(VisibilityTest, WithoutRulesAllIsSeen) {
  const Visibility rules(config_with({}));
  for (const Role role : {Role::kPlayer, Role::kStage, Role::kObserver}) {
    EXPECT_FALSE(rules.is_limited(role));
    EXPECT_TRUE(rules.sees_all_of(role, 0));
    EXPECT_EQ(rules.seats_that_see(role, 6, {.owner = 5}, kNowhereNear), 6u);
  }
  EXPECT_FALSE(rules.depends_on_seats());
}

TEST(VisibilityTest, OwnAndTeamGoByTheOwner) {
  const Visibility rules(config_with({{.layer = "ship"}, {.layer = "shot", .sees = Sight::kTeam}}));
  const auto sees = [&](ParticipantNumber own, Sighted object) {
    return rules.seats_that_see(Role::kPlayer, seat_bit(own), object, kNowhereNear) != 0;
  };
  EXPECT_TRUE(sees(1, {.owner = 1, .layer = 0}));
  EXPECT_FALSE(sees(1, {.owner = 2, .owner_role = Role::kPlayer, .layer = 0}));
  EXPECT_TRUE(sees(1, {.owner = 2, .owner_role = Role::kPlayer, .layer = 1}));
  EXPECT_FALSE(sees(1, {.owner = 2, .owner_role = Role::kStage, .layer = 1}));
  EXPECT_FALSE(sees(1, {.owner = 2, .layer = 1})) << "who has left is of no team";
  EXPECT_EQ(rules.seats_that_see(Role::kPlayer, 0, {.owner = 2, .owner_role = Role::kPlayer, .layer = 1},
                                 kNowhereNear),
            0u);
  EXPECT_FALSE(rules.is_limited(Role::kObserver));
}

TEST(VisibilityTest, NearAsksForTheTemplateAndTheDistanceOfTheRule) {
  const Visibility rules(
      config_with({{.layer = "ship", .sees = Sight::kNear, .near = "ship", .distance_max = 5}}));
  const auto from_origin = [](TemplateNumber kind, collision::Point at, std::uint32_t distance_max) {
    return kind == 1 && is_within({0, 0}, at, distance_max) ? seat_bit(1) : SeatBits{0};
  };
  const auto sees = [&](std::optional<collision::Point> at) {
    return rules.seats_that_see(Role::kPlayer, seat_bit(1), {.owner = 2, .position = at}, from_origin) != 0;
  };
  EXPECT_TRUE(sees(collision::Point{3, 4}));
  EXPECT_FALSE(sees(collision::Point{4, 4}));
  EXPECT_FALSE(sees(collision::Point{6, 0}));
  EXPECT_FALSE(sees(std::nullopt));
}

TEST(VisibilityTest, DistancesHaveNoOverflow) {
  constexpr std::int32_t kFar = 2'147'483'647;
  EXPECT_TRUE(is_within({0, 0}, {kFar, 0}, kFar));
  EXPECT_FALSE(is_within({-1, 0}, {kFar, 0}, kFar));
  EXPECT_FALSE(is_within({0, 0}, {kFar, kFar}, kFar));
  EXPECT_FALSE(is_within({-kFar, -kFar}, {kFar, kFar}, kFar));
  EXPECT_TRUE(is_within({7, 7}, {7, 7}, 0));
  EXPECT_FALSE(is_within({7, 7}, {7, 8}, 0));
}

TEST(VisibilityTest, EvidenceIsTakenOfWhatIsNotSeenButForHitsThatCount) {
  const Visibility rules(config_with({{.layer = "ship"}}));
  const Viewer player{.sees_all = false, .seats = {1}};
  const auto has_evidence = [&](const Viewer& viewer, bool has_struck, collision::LayerId target_layer) {
    ClaimVerdict claim;
    claim.verdict = Verdict::kConfirmed;
    claim.has_struck = has_struck;
    claim.evidence.emplace().target_layer = target_layer;
    rules.limit(viewer, claim);
    return claim.evidence.has_value();
  };
  EXPECT_FALSE(has_evidence(player, false, 0)) << "it would find hidden targets, and cost nothing";
  EXPECT_TRUE(has_evidence(player, false, 1));
  EXPECT_TRUE(has_evidence(player, true, 0));
  EXPECT_TRUE(has_evidence(Viewer{}, false, 0));
}

}  // namespace
}  // namespace sweepd::match::visibility_test
