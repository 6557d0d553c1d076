// SPDX-License-Identifier: MIT
//
// Protects who compares rules: whatever can make a match come to something else is one, a label or a way to
// compute it is none, and the first that differs is named with both values.
#include "match/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "match/budget_maxima.h"
#include "unit/match/match_builders.h"
#include "unit/match/unusual_config.h"

namespace sweepd::match::rules_test {
namespace {

/// Calls `visit(path, value)` for every value at any depth, of every entry of lists.
class ValueWalk {
 public:
  explicit ValueWalk(const auto& visit) : visit_(visit) {}

  template <typename Value>
  void walk(const std::string& path, Value& value) {
    if constexpr (requires { for_each_field(std::type_identity<Value>(), [](const auto&) {}); }) {
      for_each_field(std::type_identity<Value>(), [&](const auto& field) {
        walk(path.empty() ? field.name : path + "." + field.name, value.*field.member);
      });
    } else {
      visit_(path, [&value] { change(value); });
    }
  }
  template <typename Value>
  void walk(const std::string& path, std::optional<Value>& value) {
    if (value) walk(path, *value);
    visit_(path, [&value] { value ? value.reset() : void(value.emplace()); });
  }
  template <typename Entry>
  void walk(const std::string& path, std::vector<Entry>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) walk(indexed(path, i), entries[i]);
    visit_(path, [&entries] { entries.pop_back(); });
  }

 private:
  template <typename Value>
  static void change(Value& value) {
    if constexpr (std::is_same_v<Value, RoleSet>) {
      value = value == RoleSet() ? RoleSet{Role::kStage} : RoleSet();
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value += '\0';
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = !value;
    } else if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(static_cast<int>(value) + 1);
    } else if constexpr (std::is_integral_v<Value>) {
      ++value;
    } else {
      ++value.radius;  // A part.
    }
  }

  std::function<void(const std::string&, const std::function<void()>&)> visit_;
};

/// "slots[1].name" is "slots.name".
std::string without_indices(const std::string& path) {
  std::string out;
  bool is_index = false;
  for (const char c : path) {
    is_index = (is_index || c == '[') && c != ']';
    if (!is_index && c != ']') out += c;
  }
  return out;
}

const std::set<std::string> kLabelsAndTransport = {"name",
                                                   "ruleset.name",
                                                   "ruleset.version",
                                                   "seed",
                                                   "slots.name",
                                                   "scoring.name",
                                                   "heartbeat_ticks",
                                                   "retained_ticks",
                                                   "broadphase",
                                                   "sector_grid.scheme",
                                                   "sector_grid.sector_size",
                                                   "object_tags",
                                                   "app_messages_per_second",
                                                   "app_messages_recorded"};

TEST(Rules, ChangeWithEveryFieldButLabelsAndTransport) {
  const MatchConfig config = unusual_config();
  const std::vector<Rule> rules = rules_of(config);
  MatchConfig changed = config;
  std::set<std::string> others;
  int changes = 0;
  ValueWalk([&](const std::string& path, const std::function<void()>& change) {
    const MatchConfig before = changed;
    change();
    ++changes;
    const auto difference = first_difference(rules, rules_of(changed));
    if (!difference) others.insert(without_indices(path));
    if (difference) {
      EXPECT_NE(difference->first, difference->second) << path;
    }
    changed = before;
  }).walk("", changed);
  EXPECT_EQ(others, kLabelsAndTransport);
  EXPECT_GT(changes, 250);
}

TEST(Rules, OfAConfigAndOfTheMatchThatAnyServerMakesOfItAreTheSame) {
  MatchConfig config = small_config();
  config.budgets.parts_max = 20;
  MatchConfig created = config;
  for (const std::uint32_t objects_max : {64u, 512u}) {
    created = config;
    created.seed = objects_max;
    BudgetMaxima maxima;
    maxima.objects_max = objects_max;
    ASSERT_FALSE(fill_budgets(maxima, created));
    EXPECT_EQ(created.budgets.objects_max, objects_max);
    EXPECT_FALSE(first_difference(rules_of(config), rules_of(created)));
  }
  config.budgets.objects_max = 512;
  EXPECT_EQ(first_difference(rules_of(config), rules_of(created))->field, "budgets.objects_max");
}

TEST(Rules, NameTheFirstFieldThatDiffersWithBothValues) {
  MatchConfig official = small_config();
  official.scoring = {{.layer_a = "player", .layer_b = "enemy", .points = 10}};
  official.layer_limits = {{.layer = "player", .speed_max = 512}};
  MatchConfig easier = official;
  easier.scoring[0].points = 1'000;
  easier.layer_limits[0].speed_max.reset();
  const auto difference = first_difference(rules_of(official), rules_of(easier));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->field, "scoring[0].points");
  EXPECT_EQ(difference->first, "10");
  EXPECT_EQ(difference->second, "1000");
  easier.scoring = official.scoring;
  EXPECT_EQ(first_difference(rules_of(official), rules_of(easier))->second, "none");
  easier.scoring.clear();
  EXPECT_EQ(first_difference(rules_of(official), rules_of(easier))->field, "scoring");
}

TEST(Rules, AreToldWithoutWhatATerminalObeys) {
  MatchConfig one = small_config();
  MatchConfig other = one;
  other.layers[0] = "\x1b[2J\xff";
  EXPECT_EQ(first_difference(rules_of(one), rules_of(other))->second, "\"\\u001b[2J\\ufffd\"");
  other.layers[0] = std::string(500, 'x');
  EXPECT_EQ(first_difference(rules_of(one), rules_of(other))->second, "502 bytes");
}

}  // namespace
}  // namespace sweepd::match::rules_test
