// SPDX-License-Identifier: MIT
//
// Protects the settings of limits: each range at its ends and past them, named by field.
#include "match/limits_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "unit/match/match_builders.h"

namespace sweepd::match::limits_config_test {
namespace {

using ::testing::HasSubstr;

template <typename Entry>
struct RangeCase {
  const char* field;
  std::optional<std::uint32_t> Entry::*member;
  std::uint64_t min;
  std::uint64_t max;
};

void expect_error(const MatchConfig& config, const std::string& field, const std::string& words) {
  const auto error = find_error(config);
  ASSERT_TRUE(error) << field;
  EXPECT_EQ(error->field, field);
  EXPECT_THAT(error->description, HasSubstr(words));
}

TEST(LimitsConfig, NumbersOfARoleAreTakenAtTheirEndsAndRefusedPastThem) {
  const RangeCase<RoleLimits> cases[] = {
      {"objects_max", &RoleLimits::objects_max, 0, 100'000},
      {"parts_max", &RoleLimits::parts_max, 0, 3'200'000},
      {"frames_max", &RoleLimits::frames_max, 1, 1024},
      {"frame_bytes_max", &RoleLimits::frame_bytes_max, 64, 1'073'741'824},
      {"bytes_per_second_max", &RoleLimits::bytes_per_second_max, 64, 1'073'741'824},
      {"selection_interval_ticks", &RoleLimits::selection_interval_ticks, 0, 36'000},
      {"selection_burst", &RoleLimits::selection_burst, 1, 1000},
  };
  for (const auto& range : cases) {
    MatchConfig config = small_config();
    config.limits = {{.role = Role::kStage}};
    const auto set = [&](std::uint64_t value) {
      config.limits[0].*range.member = static_cast<std::uint32_t>(value);
    };
    for (const std::uint64_t value : {range.min, range.max}) {
      set(value);
      EXPECT_FALSE(find_error(config)) << range.field;
    }
    const std::string words = std::to_string(range.min) + " to " + std::to_string(range.max);
    set(range.max + 1);
    expect_error(config, std::string("limits[0].") + range.field, words);
    if (range.min == 0) continue;
    set(range.min - 1);
    expect_error(config, std::string("limits[0].") + range.field, words);
  }
}

TEST(LimitsConfig, ARoleIsAPlayersOrAStagesAndHasOneEntry) {
  MatchConfig config = small_config();
  config.limits = {{.role = Role::kPlayer}, {.role = Role::kStage}};
  EXPECT_FALSE(find_error(config));
  config.limits.push_back({.role = Role::kPlayer});
  expect_error(config, "limits[2].role", "limits[0]");
  config.limits = {{.role = Role::kObserver}};
  expect_error(config, "limits[0].role", "3");
}

TEST(LimitsConfig, LayersAreThoseOfTheMatch) {
  MatchConfig config = small_config();
  config.limits = {{.role = Role::kPlayer, .spawn_layers = std::vector<std::string>{"item", "boss"}}};
  expect_error(config, "limits[0].spawn_layers.layers[1]", "\"boss\"");
  config.limits[0].spawn_layers->resize(65, "item");
  expect_error(config, "limits[0].spawn_layers.layers", "0 to 64");
  config.limits.clear();
  config.layer_limits = {{.layer = "boss"}};
  expect_error(config, "layer_limits[0].layer", "\"boss\"");
  config.layer_limits = {{.layer = "item"}, {.layer = "item"}};
  expect_error(config, "layer_limits[1].layer", "layer_limits[0]");
}

TEST(LimitsConfig, SpeedsAndBudgetsAreTakenAtTheirEndsAndRefusedPastThem) {
  MatchConfig config = small_config();
  config.layer_limits = {{.layer = "item"}};
  LayerLimits& limits = config.layer_limits[0];
  for (const std::uint32_t speed : {0u, 2'147'483'647u}) {
    limits.speed_max = speed;
    EXPECT_FALSE(find_error(config));
  }
  limits.speed_max = 2'147'483'648u;
  expect_error(config, "layer_limits[0].speed_max", "0 to 2147483647");
  limits.speed_max = 1;
  for (const std::uint32_t ticks : {1u, 3600u}) {
    limits.speed_budget_ticks = ticks;
    EXPECT_FALSE(find_error(config));
  }
  for (const std::uint32_t ticks : {0u, 3601u}) {
    limits.speed_budget_ticks = ticks;
    expect_error(config, "layer_limits[0].speed_budget_ticks", "1 to 3600");
  }
}

}  // namespace
}  // namespace sweepd::match::limits_config_test
