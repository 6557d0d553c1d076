// SPDX-License-Identifier: MIT
//
// Protects the rules on who sees what: each at its bound and one past it, and which configs have none.
#include "match/visibility/visibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/config.h"

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

constexpr auto kNowhereNear = [](auto...) { return false; };

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

TEST(VisibilityTest, WithoutRulesAllIsSeen) {
  const Visibility rules(config_with({}));
  for (const Role role : {Role::kPlayer, Role::kStage, Role::kObserver}) {
    EXPECT_FALSE(rules.is_limited(role));
    EXPECT_TRUE(rules.sees(role, std::nullopt, {.owner = 5}, kNowhereNear));
  }
  EXPECT_FALSE(rules.depends_on_seats());
}

TEST(VisibilityTest, OwnAndTeamGoByTheOwner) {
  const Visibility rules(config_with({{.layer = "ship"}, {.layer = "shot", .sees = Sight::kTeam}}));
  const auto sees = [&](std::optional<ParticipantNumber> own, Sighted object) {
    return rules.sees(Role::kPlayer, own, object, kNowhereNear);
  };
  EXPECT_TRUE(sees(1, {.owner = 1, .layer = 0}));
  EXPECT_FALSE(sees(1, {.owner = 2, .owner_role = Role::kPlayer, .layer = 0}));
  EXPECT_TRUE(sees(1, {.owner = 2, .owner_role = Role::kPlayer, .layer = 1}));
  EXPECT_FALSE(sees(1, {.owner = 2, .owner_role = Role::kStage, .layer = 1}));
  EXPECT_FALSE(sees(1, {.owner = 2, .layer = 1})) << "who has left is of no team";
  EXPECT_FALSE(sees(std::nullopt, {.owner = 2, .owner_role = Role::kPlayer, .layer = 1}));
  EXPECT_FALSE(rules.is_limited(Role::kObserver));
}

TEST(VisibilityTest, NearAsksForTheTemplateAndTheDistanceOfTheRule) {
  const Visibility rules(
      config_with({{.layer = "ship", .sees = Sight::kNear, .near = "ship", .distance_max = 5}}));
  const auto from_origin = [](ParticipantNumber own, TemplateNumber kind, collision::Point at,
                              std::uint32_t distance_max) {
    return own == 1 && kind == 1 && is_within({0, 0}, at, distance_max);
  };
  const auto sees = [&](std::optional<collision::Point> at) {
    return rules.sees(Role::kPlayer, 1, {.owner = 2, .position = at}, from_origin);
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
