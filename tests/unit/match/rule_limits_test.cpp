// SPDX-License-Identifier: MIT
//
// Protects every rule of what participants may do: what is at its limit is taken, one past it is refused by
// template, rule, value and limit, also in the participant's counters. A rule not in this table fails a test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>

#include "match/templates/template_objects.h"
#include "match/templates/template_refusal.h"
#include "unit/match/match_builders.h"

namespace sweepd::match {

void PrintTo(const BrokenRule& broken, std::ostream* out) {
  *out << broken.rule << " of \"" << broken.template_name << "\": " << broken.found << " against "
       << broken.limit;
}

namespace rule_limits_test {
namespace {

using collision::Box;
using collision::ObjectSpec;
using collision::Part;
using collision::Point;

constexpr TemplateNumber kShip = 1;
constexpr TemplateNumber kShot = 2;
constexpr TemplateNumber kEnemy = 3;
constexpr ObjectId kFirst = 1;  // Of the player's own ids.
constexpr std::uint64_t kWithoutEnd = ~std::uint64_t{0};

const std::vector<Part> kShipParts = {{{-10, -10, 10, 10}, kPlayerLayer}};
const std::vector<Part> kHiddenParts = {{{-10, -10, 10, 10}, kItemLayer}};
const std::vector<Part> kNoShape = {{{-1, -1, 1, 1}, kPlayerLayer}};

/// Frames of the player, one for each tick; of an empty one nothing.
using Frames = std::vector<Frame>;

struct Rule {
  std::string name;
  std::function<void(MatchConfig&)> change;
  Frames at;    ///< All are taken.
  Frames past;  ///< All but the last are, of which one change is refused.
  BrokenRule broken;
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

/// Two kinds for the player, one for the stage.
void with_templates(MatchConfig& config) {
  config.templates = {
      {.name = "ship",
       .shapes = {{kShipParts}, {kHiddenParts}},
       .speed_max = 100,
       .speed_budget_ticks = 1,
       .disable_max_ticks = 4,
       .disable_interval_ticks = 6,
       .spawn = {.region = Box{0, 0, 1000, 1000}, .alive_max = 1, .respawn_delay_ticks = 5}},
      {.name = "shot",
       .shapes = {{{{{-2, -2, 2, 2}, kPlayerLayer}}}},
       .time_to_live_max_ticks = 20,
       .speed_max = 50,
       .acceleration_max = 3,
       .may_teleport = true,
       .disable_max_ticks = 0,
       .may_freeze = true,
       .spawn = {.near = "ship", .distance_max = 30, .interval_ticks = 4, .burst = 2}},
      {.name = "enemy", .roles = {Role::kStage}, .shapes = {{{{{-20, -20, 20, 20}, kEnemyLayer}}}}}};
}

RoleLimits& limits_of_players(MatchConfig& config) {
  if (config.limits.empty()) config.limits.push_back({.role = Role::kPlayer});
  return config.limits.front();
}

ObjectSpec by_template(ObjectId id, TemplateNumber number, Point position = {500, 500}) {
  ObjectSpec spec;
  spec.id = id;
  spec.position = position;
  spec.kind = number;
  return spec;
}

Frame spawn(std::vector<ObjectSpec> specs) {
  Frame frame;
  frame.spawns = std::move(specs);
  return frame;
}

Frame spawn_ship(Point position = {500, 500}) { return spawn({by_template(kFirst, kShip, position)}); }
Frame spawn_shot(Point position = {500, 500}) { return spawn({by_template(kFirst + 1, kShot, position)}); }

Frame spawn_shot_with(const std::function<void(ObjectSpec&)>& change) {
  ObjectSpec spec = by_template(kFirst + 1, kShot);
  change(spec);
  return spawn({spec});
}

Frame spawn_with_parts(std::vector<Part> parts, Point position = {}) {
  ObjectSpec spec = object_at(kFirst, position);
  spec.parts = std::move(parts);
  return spawn({spec});
}

Frame disable(Tick until) {
  Frame frame;
  frame.disables = {{kFirst, until}};
  return frame;
}

Frame reshape(std::vector<Part> parts) {
  Frame frame;
  frame.reshapes = {{kFirst, std::move(parts)}};
  return frame;
}

Frame teleport(ObjectId object, Point position) {
  Frame frame;
  frame.teleports = {{object, position}};
  return frame;
}

Frame motion(ObjectId object, collision::Motion motion) {
  Frame frame;
  frame.motions = {{object, motion}};
  return frame;
}

Frame select(std::vector<std::uint32_t> layers, std::optional<Box> region) {
  Frame frame;
  frame.mass_despawns = {{std::move(layers), region}};
  return frame;
}

Frame freeze() {
  Frame frame;
  frame.freezes = {{}};
  return frame;
}

std::vector<Rule> rules_of_templates() {
  return {
      {"templates only",
       with_templates,
       {spawn_ship()},
       {spawn_with_parts(kShipParts, {500, 500})},
       {"templates", "", 0, 3}},
      {"template number",
       with_templates,
       {spawn_ship()},
       {spawn({by_template(kFirst, 4)})},
       {"templates", "", 4, 3}},
      {"roles",
       with_templates,
       {spawn_ship()},
       {spawn({by_template(kFirst, kEnemy)})},
       {"templates[2].roles", "enemy", 0, 0}},
      {"own traits",
       with_templates,
       {spawn_ship(), spawn_shot()},
       {spawn_ship(), spawn_shot_with([](auto& spec) { spec.damage = 1; })},
       {"templates[1].shapes", "shot", 0, 0}},
      {"time to live",
       with_templates,
       {spawn_ship(), spawn_shot_with([](auto& spec) { spec.time_to_live_ticks = 20; })},
       {spawn_ship(), spawn_shot_with([](auto& spec) { spec.time_to_live_ticks = 21; })},
       {"templates[1].time_to_live_max_ticks", "shot", 21, 20}},
      {"alive",
       with_templates,
       {spawn_ship()},
       {spawn_ship(), spawn({by_template(kFirst + 1, kShip)})},
       {"templates[0].spawn.alive_max", "ship", 1, 1}},
      {"total",
       [](auto& config) {
         with_templates(config);
         config.templates[0].spawn.respawn_delay_ticks = 0;
         config.templates[0].spawn.total_max = 2;
       },
       {spawn_ship(), despawn_frame(kFirst), spawn_ship()},
       {spawn_ship(), despawn_frame(kFirst), spawn_ship(), despawn_frame(kFirst), spawn_ship()},
       {"templates[0].spawn.total_max", "ship", 2, 2}},
      {"respawn delay",
       with_templates,
       {spawn_ship(), despawn_frame(kFirst), {}, {}, {}, {}, spawn_ship()},
       {spawn_ship(), despawn_frame(kFirst), {}, {}, {}, spawn_ship()},
       {"templates[0].spawn.respawn_delay_ticks", "ship", 4, 5}},
      {"region",
       with_templates,
       {spawn_ship({1000, 0})},
       {spawn_ship({1001, 0})},
       {"templates[0].spawn.region", "ship", 1, 0}},
      {"near",
       with_templates,
       {spawn_ship(), spawn_shot({530, 500})},
       {spawn_ship(), spawn_shot({531, 500})},
       {"templates[1].spawn.distance_max", "shot", 31, 30}},
      {"near to nothing",
       with_templates,
       {spawn_ship(), spawn_shot()},
       {spawn_shot()},
       {"templates[1].spawn.near", "shot", kWithoutEnd, 30}},
      {"interval",
       with_templates,
       {spawn_ship(),
        spawn({by_template(kFirst + 1, kShot), by_template(kFirst + 2, kShot)}),
        {},
        {},
        {},
        spawn({by_template(kFirst + 3, kShot)})},
       {spawn_ship(),
        spawn({by_template(kFirst + 1, kShot), by_template(kFirst + 2, kShot)}),
        {},
        {},
        spawn({by_template(kFirst + 3, kShot)})},
       {"templates[1].spawn.interval_ticks", "shot", 6, 4}},
      {"shapes",
       with_templates,
       {spawn_ship(), reshape(kHiddenParts)},
       {spawn_ship(), reshape(kNoShape)},
       {"templates[0].shapes", "ship", 0, 2}},
      {"way",
       with_templates,
       {spawn_ship(), move_frame(kFirst, {600, 500})},
       {spawn_ship(), move_frame(kFirst, {601, 500})},
       {"templates[0].speed_max", "ship", 101, 100}},
      {"speed of motion",
       with_templates,
       {spawn_ship(), spawn_shot_with([](auto& spec) {
          spec.motion = {{50, 0}, {}};
        })},
       {spawn_ship(), spawn_shot_with([](auto& spec) {
          spec.motion = {{51, 0}, {}};
        })},
       {"templates[1].speed_max", "shot", 51, 50}},
      {"acceleration of a spawn",
       with_templates,
       {spawn_ship(), spawn_shot_with([](auto& spec) {
          spec.motion = {{}, {1, 0}};
          spec.time_to_live_ticks = 10;
        })},
       {spawn_ship(), spawn_shot_with([](auto& spec) {
          spec.motion = {{}, {4, 0}};
          spec.time_to_live_ticks = 10;
        })},
       {"templates[1].acceleration_max", "shot", 4, 3}},
      {"acceleration",
       with_templates,
       {spawn_ship(), spawn_shot(), motion(kFirst + 1, {{-40, 0}, {3, 0}})},
       {spawn_ship(), spawn_shot(), motion(kFirst + 1, {{-40, 0}, {4, 0}})},
       {"templates[1].acceleration_max", "shot", 4, 3}},
      {"teleport",
       [](auto& config) {
         with_templates(config);
         limits_of_players(config).may_teleport = true;
       },
       {spawn_ship(), spawn_shot(), teleport(kFirst + 1, {9, 9})},
       {spawn_ship(), teleport(kFirst, {9, 9})},
       {"templates[0].may_teleport", "ship", 0, 0}},
      {"disable",
       with_templates,
       {spawn_ship(), disable(6)},
       {spawn_ship(), disable(7)},
       {"templates[0].disable_max_ticks", "ship", 5, 4}},
      {"disable for ever",
       with_templates,
       {spawn_ship(), disable(6)},
       {spawn_ship(), disable(0)},
       {"templates[0].disable_max_ticks", "ship", kWithoutEnd, 4}},
      {"disable again",
       with_templates,
       {spawn_ship(), disable(3), {}, {}, {}, {}, {}, disable(9)},
       {spawn_ship(), disable(3), {}, {}, {}, {}, disable(8)},
       {"templates[0].disable_interval_ticks", "ship", 8, 6}},
      {"steering",
       [](auto& config) {
         with_templates(config);
         config.templates[1].is_ballistic = true;
       },
       {spawn_ship(), spawn_shot(), move_frame(kFirst, {501, 500})},
       {spawn_ship(), spawn_shot(), move_frame(kFirst + 1, {501, 500})},
       {"templates[1].is_ballistic", "shot", 0, 0}},
      {"steering by motion",
       [](auto& config) {
         with_templates(config);
         config.templates[1].is_ballistic = true;
       },
       {spawn_ship(), spawn_shot(), motion(kFirst, {{1, 0}, {}})},
       {spawn_ship(), spawn_shot(), motion(kFirst + 1, {{1, 0}, {}})},
       {"templates[1].is_ballistic", "shot", 0, 0}},
      {"velocity of a spawn",
       [](auto& config) {
         with_templates(config);
         config.templates[1].spawn.velocity = Box{-5, -50, 5, -40};
       },
       {spawn_ship(), spawn_shot_with([](auto& spec) {
          spec.motion = {{5, -40}, {}};
        })},
       {spawn_ship(), spawn_shot_with([](auto& spec) {
          spec.motion = {{6, -40}, {}};
        })},
       {"templates[1].spawn.velocity", "shot", 1, 0}},
      {"disable when old",
       [](auto& config) {
         with_templates(config);
         config.templates[0].disable_within_ticks = 3;
       },
       {spawn_ship(), {}, disable(4)},
       {spawn_ship(), {}, disable(5)},
       {"templates[0].disable_within_ticks", "ship", 4, 3}},
      {"freeze",
       with_templates,
       {freeze()},
       {spawn_ship(), freeze()},
       {"templates[0].may_freeze", "ship", 0, 0}},
  };
}

std::vector<Rule> rules_of_limits() {
  const auto role_limit = [](const auto& set) {
    return [set](MatchConfig& config) { set(limits_of_players(config)); };
  };
  const Frame two = spawn({object_at(kFirst, {}), object_at(kFirst + 1, {})});
  const auto boxes = [](std::size_t count) {
    return spawn_with_parts(std::vector<Part>(count, {{-10, -10, 10, 10}, kPlayerLayer}));
  };
  const Frame one_bomb = select({kEnemyLayer}, Box{0, 0, 100, 100});
  const auto fast = [](MatchConfig& config) {
    config.layer_limits = {{.layer = "player", .speed_max = 100, .speed_budget_ticks = 1}};
  };
  return {
      {"objects",
       role_limit([](auto& limits) { limits.objects_max = 1; }),
       {boxes(1)},
       {two},
       {"limits[0].objects_max", "", 2, 1}},
      {"objects of a participant",
       [](auto& config) { config.objects_per_participant_max = 1; },
       {boxes(1)},
       {two},
       {"objects_per_participant_max", "", 2, 1}},
      {"objects of a match",
       [](auto& config) { config.budgets.objects_max = 1; },
       {boxes(1)},
       {two},
       {"budgets.objects_max", "", 2, 1}},
      {"parts",
       role_limit([](auto& limits) { limits.parts_max = 3; }),
       {boxes(3)},
       {boxes(4)},
       {"limits[0].parts_max", "", 4, 3}},
      {"parts of a match",
       [](auto& config) { config.budgets.parts_max = 3; },
       {boxes(3)},
       {boxes(4)},
       {"budgets.parts_max", "", 4, 3}},
      {"parts of a reshape",
       role_limit([](auto& limits) { limits.parts_max = 1; }),
       {boxes(1), reshape(kHiddenParts)},
       {boxes(1), reshape({kShipParts[0], kShipParts[0]})},
       {"limits[0].parts_max", "", 2, 1}},
      {"layers",
       role_limit([](auto& limits) { limits.spawn_layers = std::vector<std::string>{"player"}; }),
       {boxes(1)},
       {spawn_with_parts(kHiddenParts)},
       {"limits[0].spawn_layers", "", kItemLayer, 0}},
      {"teleport",
       role_limit([](auto& limits) { limits.may_teleport = false; }),
       {boxes(1), move_frame(kFirst, {9, 9})},
       {boxes(1), teleport(kFirst, {9, 9})},
       {"limits[0].may_teleport", "", 0, 0}},
      {"way on a layer",
       fast,
       {boxes(1), move_frame(kFirst, {100, 0})},
       {boxes(1), move_frame(kFirst, {101, 0})},
       {"layer_limits[0].speed_max", "", 101, 100}},
      {"speed on a layer",
       fast,
       {boxes(1), motion(kFirst, {{100, 0}, {}})},
       {boxes(1), motion(kFirst, {{101, 0}, {}})},
       {"layer_limits[0].speed_max", "", 101, 100}},
      {"playfield",
       [](auto& config) {
         config.playfield = {0, 0, 100, 100};
         config.layer_limits = {{.layer = "player", .stay_in_playfield = true}};
       },
       {spawn({object_at(kFirst, {10, 90})})},
       {spawn({object_at(kFirst, {10, 91})})},
       {"layer_limits[0].stay_in_playfield", "", 1, 0}},
      {"selected layers",
       role_limit([](auto& limits) { limits.selection_layers = std::vector<std::string>{"enemy"}; }),
       {one_bomb},
       {select({kItemLayer}, Box{0, 0, 9, 9})},
       {"limits[0].selection_layers", "", kItemLayer, 0}},
      {"selected region",
       role_limit([](auto& limits) { limits.selection_size_max = 100; }),
       {one_bomb},
       {select({kEnemyLayer}, Box{0, 0, 5, 101})},
       {"limits[0].selection_size_max", "", 101, 100}},
      {"selection of everywhere",
       role_limit([](auto& limits) { limits.selection_size_max = 100; }),
       {one_bomb},
       {select({kEnemyLayer}, {})},
       {"limits[0].selection_size_max", "", kWithoutEnd, 100}},
      {"pace of selections",
       role_limit([](auto& limits) { limits.selection_interval_ticks = 3; }),
       {one_bomb, {}, {}, one_bomb},
       {one_bomb, {}, one_bomb},
       {"limits[0].selection_interval_ticks", "", 4, 3}},
      {"selected objects",
       [](auto& config) { config.budgets.selected_objects_max = 1; },
       {boxes(1), one_bomb},
       {two, one_bomb},
       {"budgets.selected_objects_max", "", 2, 1}},
  };
}

std::vector<Rule> all_rules() {
  std::vector<Rule> rules = rules_of_templates();
  for (Rule& rule : rules_of_limits()) rules.push_back(std::move(rule));
  return rules;
}

class Rules : public ::testing::TestWithParam<Rule> {
 protected:
  void start() {
    MatchConfig config = small_config();
    GetParam().change(config);
    match_ = make_match(config);
    player_ = join(*match_, "ann");
    ASSERT_EQ(player_.first_id, kFirst);
  }

  /// What is refused of the last frame; of those before, nothing.
  std::vector<Rejection> play(const Frames& frames) {
    for (const Frame& frame : frames) {
      submit(*match_, player_, frame);
      const TickOutput& output = match_->step();
      if (&frame == &frames.back()) return {output.rejections.begin(), output.rejections.end()};
      for (const Rejection& rejection : output.rejections) ADD_FAILURE() << rejection.message;
    }
    return {};
  }

  std::unique_ptr<Match> match_;
  Participant player_;
};

TEST_P(Rules, TakeWhatIsAtTheLimit) {
  start();
  for (const Rejection& rejection : play(GetParam().at)) ADD_FAILURE() << rejection.message;
}

TEST_P(Rules, RefuseOnePastItByTemplateRuleValueAndLimit) {
  start();
  const auto rejections = play(GetParam().past);
  ASSERT_EQ(rejections.size(), 1u);
  ASSERT_TRUE(rejections[0].broken_rule) << rejections[0].message;
  EXPECT_EQ(*rejections[0].broken_rule, GetParam().broken);
  EXPECT_THAT(rejections[0].message, ::testing::HasSubstr(GetParam().broken.rule)) << "for people, too";
}

TEST_P(Rules, OfTemplatesAreCountedForTheParticipant) {
  if (!GetParam().broken.rule.starts_with("templates")) return;
  start();
  play(GetParam().past);
  const auto refusals = match_->find_participant(player_.number)->template_refusals.by_rule();
  ASSERT_EQ(refusals.size(), 1u);
  const auto& [name, count] = *refusals.begin();
  EXPECT_EQ(count.count, 1u);
  const auto& [rule, kind, found, limit] = GetParam().broken;
  const bool has_none = name.rule == TemplateRule::kRegion || name.rule == TemplateRule::kVelocity;
  EXPECT_EQ(count.last, (has_none ? FoundAndLimit{} : FoundAndLimit{found, limit})) << "as in key frames";
}

INSTANTIATE_TEST_SUITE_P(All, Rules, ::testing::ValuesIn(all_rules()), [](const auto& instance) {
  std::string name;
  for (const char c : instance.param.name) name += c == ' ' ? '_' : c;
  return (instance.param.broken.rule.starts_with("templates") ? "template_" : "limit_") + name;
});

TEST(RulesOfTemplates, AreAllInTheTable) {
  const auto name_of = [](const std::string& path) { return path.substr(path.find('.') + 1); };
  std::set<std::string> known;
  for (const Rule& rule : rules_of_templates()) known.insert(name_of(rule.broken.rule));
  for (std::uint8_t rule = 1; rule < kTemplateRulesEnd; ++rule) {
    // To whom what a stage has may go: TemplateTest.SayToWhomOneMayGo.
    if (TemplateRule{rule} == TemplateRule::kTransfer) continue;
    const std::string path = broken_rule_of({0, TemplateRule{rule}}, {}, {}).rule;
    EXPECT_TRUE(known.contains(name_of(path))) << path;
  }
}

}  // namespace
}  // namespace rule_limits_test
}  // namespace sweepd::match
