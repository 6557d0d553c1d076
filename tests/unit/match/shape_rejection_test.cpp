// SPDX-License-Identifier: MIT
//
// Protects: every reason for which a shape is refused, at the limit and one past it, with the field named,
// what was found and the limit told; and that a frame need not know the size of its match's masks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/part_preparer.h"
#include "match/part_refusal.h"
#include "match/rejection.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::shape_rejection_test {
namespace {

using collision::kSubunitsMax;
using collision::kSubunitsMin;
using collision::Part;
using collision::ShapeKind;
using ::testing::HasSubstr;

Part circle(collision::Point center, collision::Subunits radius) {
  Part part;
  part.kind = ShapeKind::kCircle;
  part.radius = radius;
  part.box = {center.x - radius, center.y - radius, center.x + radius, center.y + radius};
  return part;
}

/// As a frame brings it.
Part mask(collision::MaskId index, collision::Point corner) {
  Part part;
  part.kind = ShapeKind::kMask;
  part.mask = index;
  part.box = {corner.x, corner.y, corner.x, corner.y};
  return part;
}

/// A match with two masks of 3 times 2 pixels, and a player in it.
class ShapeRejection : public ::testing::Test {
 protected:
  static MatchConfig config() {
    MatchConfig config = small_config();
    config.masks.assign(2, {.width = 3, .height = 2, .pixel_size = 10, .rows = std::string{7, 7}});
    return config;
  }

  /// Spawns an object of a box and `part`, and takes it away again.
  void expect_accepted(const Part& part, collision::Point position = {}) {
    submit(*match_, player_, spawn(part, position));
    const auto rejections = match_->step().rejections;
    EXPECT_TRUE(rejections.empty()) << rejections.front().field << ": " << rejections.front().message;
    submit(*match_, player_, despawn_frame(1));
    match_->step();
  }

  /// In a spawn and in a reshape.
  void expect_refused(const Part& part, RejectionReason reason, const std::string& field,
                      const std::string& found, const std::string& limit, collision::Point position = {}) {
    submit(*match_, player_, spawn(part, position));
    expect_rejection(reason, "spawns[0].parts[1]." + field, found, limit);
    EXPECT_FALSE(match_->find_object(1));
    submit(*match_, player_, spawn(circle({}, 0), position));
    match_->step();
    Frame frame;
    frame.reshapes.push_back({1, spawn(part, position).spawns[0].parts});
    submit(*match_, player_, frame);
    expect_rejection(reason, "reshapes[0].parts[1]." + field, found, limit);
    EXPECT_EQ(match_->find_object(1)->parts[1], circle({}, 0)) << "a refused change changes nothing";
    submit(*match_, player_, despawn_frame(1));
    match_->step();
  }

  const std::unique_ptr<Match> match_ = make_match(config());
  const Participant player_ = join(*match_, "player");

 private:
  static Frame spawn(const Part& part, collision::Point position) {
    collision::ObjectSpec spec;
    spec.id = 1;
    spec.position = position;
    spec.parts = {Part{}, part};
    return spawn_frame(std::move(spec));
  }

  void expect_rejection(RejectionReason reason, const std::string& field, const std::string& found,
                        const std::string& limit) {
    const TickOutput& output = match_->step();
    ASSERT_EQ(output.rejections.size(), 1u);
    const Rejection& rejection = output.rejections.front();
    EXPECT_EQ(static_cast<int>(rejection.reason), static_cast<int>(reason));
    EXPECT_EQ(rejection.field, field);
    EXPECT_EQ(rejection.object, 1u);
    EXPECT_THAT(rejection.message, HasSubstr(found));
    EXPECT_THAT(rejection.message, HasSubstr(limit));
  }
};

TEST_F(ShapeRejection, ARadiusIsZeroOrMore) {
  expect_accepted(circle({5, 5}, 0));
  expect_refused(circle({5, 5}, -1), RejectionReason::kNegativeRadius, "circle.radius", "radius is -1",
                 "0 or more");
  Part capsule;
  capsule.kind = ShapeKind::kCapsule;
  capsule.radius = kSubunitsMin;
  expect_refused(capsule, RejectionReason::kNegativeRadius, "capsule.radius", "radius is -2147483648",
                 "0 or more");
}

TEST_F(ShapeRejection, WhatReachesOutOfTheRangeByItselfIsOutOfRange) {
  Part part = circle({0, 0}, 9);
  part.box = kImpossibleBox;
  expect_refused(part, RejectionReason::kOutOfRange, "circle.radius", "radius is 9",
                 "-2147483648 to 2147483647");
  part.kind = ShapeKind::kCapsule;
  expect_refused(part, RejectionReason::kOutOfRange, "capsule.radius", "radius is 9",
                 "-2147483648 to 2147483647");
}

TEST_F(ShapeRejection, WhatItsPositionCarriesOutOfTheRangeIsOutOfRange) {
  expect_accepted(circle({0, 0}, 5), {kSubunitsMax - 5, kSubunitsMin + 5});
  expect_refused(circle({0, 0}, 6), RejectionReason::kOutOfRange, "circle.center_x", "2147483648",
                 "to 2147483647", {kSubunitsMax - 5, 0});
  expect_refused(circle({0, 0}, 6), RejectionReason::kOutOfRange, "circle.center_y", "-2147483649",
                 "from -2147483648", {0, kSubunitsMin + 5});
  Part capsule = circle({0, 0}, 6);
  capsule.kind = ShapeKind::kCapsule;
  expect_refused(capsule, RejectionReason::kOutOfRange, "capsule", "2147483648", "to 2147483647",
                 {kSubunitsMax - 5, 0});
}

TEST_F(ShapeRejection, AMaskIsOneOfTheMatch) {
  expect_accepted(mask(1, {-15, -10}));
  expect_refused(mask(2, {0, 0}), RejectionReason::kUnknownMask, "mask.mask", "mask is 2", "masks 0 to 1");
  Part too_large = mask(0, {0, 0});
  too_large.box = kImpossibleBox;
  expect_refused(too_large, RejectionReason::kUnknownMask, "mask.mask", "256 or more", "masks 0 to 1");
}

TEST_F(ShapeRejection, AMaskLiesInTheRangeWithAllItsPixels) {
  expect_accepted(mask(0, {kSubunitsMax - 30, kSubunitsMin}));
  expect_refused(mask(0, {kSubunitsMax - 29, 0}), RejectionReason::kOutOfRange, "mask.x", "2147483648",
                 "to 2147483647");
  expect_refused(mask(0, {0, kSubunitsMax - 19}), RejectionReason::kOutOfRange, "mask.y", "2147483648",
                 "to 2147483647");
  expect_refused(mask(0, {0, 0}), RejectionReason::kOutOfRange, "mask.x", "2147483648", "to 2147483647",
                 {kSubunitsMax - 29, 0});
}

TEST_F(ShapeRejection, AMaskHasTheSizeOfTheConfig) {
  submit(*match_, player_, [] {
    collision::ObjectSpec spec;
    spec.id = 1;
    spec.parts = {mask(0, {-5, -6})};
    return spawn_frame(std::move(spec));
  }());
  match_->step();
  EXPECT_EQ(match_->find_object(1)->parts[0].box, (collision::Box{-5, -6, 25, 14}));
}

TEST(ShapesOfNoKind, AreNamed) {
  const std::vector<Part> parts = {circle({0, 0}, 5)};
  const RefusalText text =
      describe_parts({RejectionReason::kMalformed, 0}, "spawns[0]", parts, {}, RefusalContext());
  EXPECT_EQ(text.field, "spawns[0].parts[0].circle");
  EXPECT_THAT(text.message, HasSubstr("no circle"));
}

TEST(ShapesWithoutMasks, AreToldThatThereAreNone) {
  const auto match = make_match();
  collision::ObjectSpec spec;
  spec.id = 1;
  spec.parts = {mask(0, {0, 0})};
  submit(*match, join(*match, "player"), spawn_frame(std::move(spec)));
  EXPECT_THAT(match->step().rejections.front().message, HasSubstr("no masks"));
}

}  // namespace
}  // namespace sweepd::match::shape_rejection_test
