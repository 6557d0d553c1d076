// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "match/match.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::limits_test {

using collision::Motion;
using collision::ObjectSpec;
using collision::Part;
using ::testing::HasSubstr;

inline constexpr ObjectId kStageId = 17;

inline Frame moves(ObjectId object, const std::vector<collision::Point>& points) {
  Frame frame;
  for (const auto& point : points) frame.moves.push_back({object, point});
  frame.relative_moves = frame.moves.size();
  return frame;
}

inline Frame teleport(ObjectId object, collision::Point point) {
  Frame frame;
  frame.teleports = {{object, point}};
  return frame;
}

inline Frame motion(ObjectId object, const Motion& motion) {
  Frame frame;
  frame.motions = {{object, motion}};
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

inline ObjectSpec moving(ObjectId id, const Motion& motion, std::uint32_t ticks = 0) {
  ObjectSpec spec = object_at(id, {0, 0});
  spec.motion = motion;
  spec.time_to_live_ticks = ticks;
  return spec;
}

inline Part part(collision::Box box, collision::LayerId layer = kPlayerLayer) {
  Part part;
  part.box = box;
  part.layer = layer;
  return part;
}

/// A match with a player (ids 1 to 16) and a stage (ids 17 to 32).
class LimitsTest : public ::testing::Test {
 protected:
  void start(const MatchConfig& config, std::uint32_t digest_version = kDigestVersion) {
    match_ = make_match(config, digest_version);
    player_ = join(*match_, "player");
    stage_ = join(*match_, "stage", Role::kStage);
  }

  static MatchConfig with(const RoleLimits& limits) {
    MatchConfig config = small_config();
    config.ids_per_participant = 16;
    config.limits = {limits};
    return config;
  }

  static MatchConfig with(const LayerLimits& limits) {
    MatchConfig config = small_config();
    config.ids_per_participant = 16;
    config.layer_limits = {limits};
    return config;
  }

  static LayerLimits speed(std::uint32_t speed_max, std::uint32_t budget_ticks = 1) {
    return {.layer = "player", .speed_max = speed_max, .speed_budget_ticks = budget_ticks};
  }

  /// One tick with these frames of the player's.
  std::vector<Rejection> play(std::vector<Frame> frames) {
    for (Frame& frame : frames) submit(*match_, player_, std::move(frame));
    const auto rejections = match_->step().rejections;
    return {rejections.begin(), rejections.end()};
  }

  void expect_accepted(Frame frame) {
    const auto rejections = play({std::move(frame)});
    EXPECT_TRUE(rejections.empty()) << rejections.front().field << ": " << rejections.front().message;
  }

  /// Of one rejection: the rule in the contract's words, where, and the numbers.
  void expect_refused(Frame frame, RejectionReason reason, ObjectId object, const std::string& field,
                      const std::vector<std::string>& words) {
    const auto before = *match_->find_participant(player_.number);
    const auto rejections = play({std::move(frame)});
    ASSERT_EQ(rejections.size(), 1u);
    EXPECT_EQ(static_cast<int>(rejections[0].reason), static_cast<int>(reason));
    EXPECT_EQ(rejections[0].object, object);
    EXPECT_EQ(rejections[0].field, field);
    for (const std::string& word : words) EXPECT_THAT(rejections[0].message, HasSubstr(word));
    const auto after = *match_->find_participant(player_.number);
    EXPECT_EQ(after.rejections, before.rejections + 1);
    EXPECT_EQ(after.rejections_by_reason.of(reason), before.rejections_by_reason.of(reason) + 1);
    EXPECT_EQ(after.objects, before.objects);
  }

  collision::Point position(ObjectId id) const { return match_->find_object(id)->position; }

  std::unique_ptr<Match> match_;
  Participant player_;
  Participant stage_;
};

}  // namespace sweepd::match::limits_test
