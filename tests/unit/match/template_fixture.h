// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "match/match.h"
#include "match/templates/template_objects.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::template_test {

using collision::Motion;
using collision::ObjectSpec;
using collision::Part;
using ::testing::HasSubstr;

inline constexpr TemplateNumber kShip = 1;
inline constexpr TemplateNumber kShot = 2;
inline constexpr TemplateNumber kEnemy = 3;

inline const std::vector<Part> kShipParts = {{{-10, -10, 10, 10}, kPlayerLayer}};
inline const std::vector<Part> kHiddenShipParts = {{{-10, -10, 10, 10}, kItemLayer}};

inline ObjectTemplate ship() {
  return {.name = "ship",
          .shapes = {{kShipParts}, {kHiddenShipParts}},
          .hit_points = 3,
          .speed_max = 100,
          .speed_budget_ticks = 2,
          .disable_max_ticks = 4,
          .disable_interval_ticks = 6,
          .spawn = {.region = collision::Box{0, 0, 1000, 1000}, .alive_max = 1, .respawn_delay_ticks = 5}};
}

inline ObjectTemplate shot() {
  return {.name = "shot",
          .shapes = {{{{{-2, -2, 2, 2}, kPlayerLayer}}}},
          .damage = 1,
          .single_use = true,
          .time_to_live_max_ticks = 20,
          .speed_max = 50,
          .acceleration_max = 3,
          .spawn = {.near = "ship", .distance_max = 30, .interval_ticks = 4, .burst = 2}};
}

inline ObjectTemplate enemy() {
  return {.name = "enemy",
          .roles = {Role::kStage},
          .shapes = {{{{{-20, -20, 20, 20}, kEnemyLayer}}}},
          .hit_points = 5,
          .may_teleport = true,
          .may_freeze = true,
          .transfer_roles = {Role::kStage}};
}

inline MatchConfig config_with_templates() {
  MatchConfig config = small_config();
  config.templates = {ship(), shot(), enemy()};
  return config;
}

inline ObjectSpec by_template(ObjectId id, TemplateNumber number, collision::Point position) {
  ObjectSpec spec;
  spec.id = id;
  spec.position = position;
  spec.kind = number;
  return spec;
}

/// A match with templates of ships, shots and enemies; a player and the stage are in it.
class TemplateTest : public ::testing::Test {
 protected:
  void start(const MatchConfig& config = config_with_templates(),
             std::uint32_t digest_version = kDigestVersion) {
    match_ = make_match(config, digest_version);
    player_ = join(*match_, "ann");
    stage_ = join(*match_, "stage", Role::kStage);
  }

  /// The refusals of a frame of `who` that applies in the next tick.
  std::vector<Rejection> send(const Participant& who, Frame frame) {
    submit(*match_, who, std::move(frame));
    const TickOutput& output = match_->step();
    return {output.rejections.begin(), output.rejections.end()};
  }
  std::vector<Rejection> spawn(const Participant& who, const ObjectSpec& spec) {
    return send(who, spawn_frame(spec));
  }
  void expect_taken(const std::vector<Rejection>& rejections) {
    for (const Rejection& rejection : rejections) ADD_FAILURE() << rejection.message;
  }
  void expect_refused(const std::vector<Rejection>& rejections, RejectionReason reason,
                      const std::string& words) {
    ASSERT_EQ(rejections.size(), 1u);
    EXPECT_EQ(rejections[0].reason, reason);
    EXPECT_THAT(rejections[0].message, HasSubstr(words));
    EXPECT_NE(rejections[0].field, "");
  }
  void run(int ticks) {
    for (int i = 0; i < ticks; ++i) match_->step();
  }
  /// As after a restart of the server.
  void save_and_restore() {
    const std::string saved = match_->save();
    match_ = std::move(Match::restore(MatchConfig(match_->config()), saved).value());
    EXPECT_EQ(match_->save(), saved);
  }
  ObjectId ship_id() const { return player_.first_id; }
  void spawn_ship() { expect_taken(spawn(player_, by_template(ship_id(), kShip, {500, 500}))); }

  /// In one tick the ship goes to (550, 500), a shot is spawned, and the ship goes back.
  std::vector<Rejection> shoot_from_a_detour(collision::Point shot) {
    submit(*match_, player_, move_frame(ship_id(), {550, 500}));
    Frame frame = spawn_frame(by_template(ship_id() + 1, kShot, shot));
    frame.moves = {{ship_id(), {500, 500}}};
    frame.relative_moves = 1;
    return send(player_, frame);
  }

  std::unique_ptr<Match> match_;
  Participant player_;
  Participant stage_;
};

inline Frame disable(ObjectId object, Tick until) {
  Frame frame;
  frame.disables = {{object, until}};
  return frame;
}

inline Frame reshape(ObjectId object, std::vector<Part> parts) {
  Frame frame;
  frame.reshapes = {{object, std::move(parts)}};
  return frame;
}

inline Frame layer_change(ObjectId object, std::uint32_t layer) {
  Frame frame;
  frame.layer_changes = {{object, std::nullopt, layer}};
  return frame;
}

}  // namespace sweepd::match::template_test
