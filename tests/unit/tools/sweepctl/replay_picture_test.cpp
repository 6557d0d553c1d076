// SPDX-License-Identifier: MIT
//
// Protects who looks at a disputed moment: the picture has every object in its exact shape, with its id, and
// what claims measured; it is well-formed whatever names the match has, and no label covers another.
#include "tools/sweepctl/replay_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "property/random.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "tools/sweepctl/label_places.h"
#include "tools/sweepctl/picture_view.h"

namespace sweepd::tools::replay_picture_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

match::MatchConfig config_of_shapes() {
  match::MatchConfig config;
  config.layers = {"player", "shot", "<b>&\"'"};
  config.playfield = {0, 0, 480 * 256, 640 * 256};
  config.masks.push_back({.width = 3, .height = 2, .pixel_size = 256, .rows = std::string("\x05\x02", 2)});
  return config;
}

replay::MomentObject object(match::ObjectId id, collision::Point position,
                            std::vector<collision::Part> parts) {
  return {.id = id, .owner = 0, .trajectory = {position, {}}, .parts = std::move(parts)};
}

/// One object of each shape, and a claim that missed.
Scene scene_of_shapes() {
  constexpr collision::Box kBox{-1024, -1024, 1024, 1024};
  Scene scene;
  scene.moment.tick = 7;
  scene.moment.participants = {{.number = 0, .name = "<ann>"}};
  scene.moment.objects = {
      object(11, {10'000, 10'000}, {{.box = kBox, .layer = 0}}),
      object(12, {20'000, 10'000},
             {{.box = kBox, .layer = 1, .kind = collision::ShapeKind::kCircle, .radius = 1024}}),
      object(13, {10'000, 20'000},
             {{.box = {-2048, -1024, 2048, 1024},
               .layer = 2,
               .kind = collision::ShapeKind::kCapsule,
               .radius = 512}}),
      object(14, {20'000, 20'000},
             {{.box = {0, 0, 768, 512}, .layer = 2, .kind = collision::ShapeKind::kMask, .mask = 0}})};
  scene.ways[11] = {{6, {9'000, 10'000}}, {7, {10'000, 10'000}}, {8, {11'000, 10'000}}};
  SceneClaim claim{.tick = 7};
  claim.verdict.claim = {.number = 3, .shot = 12, .target = 11, .tick_seen = 5};
  claim.verdict.verdict = match::Verdict::kNotOverlapping;
  claim.verdict.tick_judged = 5;
  claim.verdict.evidence = match::ClaimEvidence{.margin = 640,
                                                .shot_box = {15'000, 9'000, 17'000, 11'000},
                                                .target_box = {8'976, 8'976, 11'024, 11'024}};
  claim.shot = scene.moment.objects[1];
  claim.target = scene.moment.objects[0];
  scene.claims.push_back(claim);
  return scene;
}

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

/// Elements that are open close in order, attributes have their quotes, and no name is markup.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (count(tag, "\"") % 2 != 0 || tag.find('<') != std::string::npos) return false;
    const std::string name = tag.substr(0, tag.find(' '));
    if (name.starts_with("/")) {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(name);
    }
  }
  return open.empty();
}

TEST(ReplayPicture, HasEveryShapeWithItsIdAndTheClaim) {
  const std::string svg = draw_picture(scene_of_shapes(), config_of_shapes(), {.title = "Match <1>"});
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  for (const char* piece : {"Match &lt;1&gt;", ">11 of &quot;&lt;ann&gt;&quot; (0)<", ">12 of ",
                            "shot 12 at tick 5", "target 11 at tick 5", "NOT_OVERLAPPING, margin 2.5",
                            "claim 3 of &quot;&lt;ann&gt;&quot; (0): shot 12 at 11", "&lt;b&gt;&amp;&quot;'",
                            " A ", "units; way before"}) {
    EXPECT_THAT(svg, HasSubstr(piece));
  }
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  EXPECT_THAT(svg, Not(HasSubstr("NaN")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(ReplayPicture, DrawsTheSetPixelsOfAMaskAndNoOthers) {
  const std::string svg = draw_picture(scene_of_shapes(), config_of_shapes(),
                                       {.region = collision::Box{19'000, 19'000, 22'000, 22'000}});
  // Of the rows X.X and .X. three runs.
  const std::size_t path = svg.find("<path d=\"M ");
  ASSERT_NE(path, std::string::npos);
  const std::string data = svg.substr(path, svg.find("/>", path) - path);
  EXPECT_EQ(count(data, "M "), 3u) << data;
}

TEST(ReplayPicture, OfAnyMomentIsWellFormed) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    auto replay = verification::AnyReplay::open(recordings::random_replay(seed, 60));
    ASSERT_TRUE(replay.ok());
    for (const replay::Tick tick : {1, 2, 30, 60, 61}) {
      const auto scene = read_scene(*replay, tick, 12);
      ASSERT_TRUE(scene.ok()) << scene.status().message();
      EXPECT_EQ(scene->moment.tick, tick);
      EXPECT_TRUE(is_well_formed(draw_picture(*scene, replay->reader().config(), {}))) << seed << " " << tick;
    }
    EXPECT_FALSE(read_scene(*replay, 0, 12).ok());
    EXPECT_FALSE(read_scene(*replay, 62, 12).ok());
  }
}

TEST(LabelPlaces, NeverCoverAnotherAndStayWithinTheFrame) {
  const SvgRectangle frame{{0, 0}, 400, 300};
  LabelPlaces places(frame);
  property::Random random(5);
  std::vector<SvgRectangle> taken;
  for (int i = 0; i < 500; ++i) {
    const SvgRectangle named{
        {static_cast<double>(random.index(400)), static_cast<double>(random.index(300))}, 10, 10};
    const std::string text(1 + random.index(12), 'x');
    const auto spot = places.place(named, text);
    if (!spot) continue;
    // Letters stand on their base line. Two may touch, and sums of fractions are not exact.
    constexpr double kTouch = 0.001;
    const SvgRectangle label{{spot->x + kTouch, spot->y - kLabelSize * 0.85 + kTouch},
                             kLabelSize * 0.6 * static_cast<double>(text.size()) - 2 * kTouch,
                             kLabelSize - 2 * kTouch};
    EXPECT_GE(label.corner.x, 0);
    EXPECT_LE(label.corner.x + label.width, 400);
    for (const SvgRectangle& other : taken) EXPECT_FALSE(label.overlaps(other));
    taken.push_back(label);
  }
  EXPECT_GT(taken.size(), 30u);
}

TEST(PictureView, ShowsAllOfTheLargestRegion) {
  const PictureView view(collision::kWholeRange, {{0, 0}, 100, 100});
  EXPECT_NEAR(view.x_of(collision::kSubunitsMin), 0, 0.01);
  EXPECT_NEAR(view.y_of(collision::kSubunitsMax), 100, 0.01);
  const PictureView point({5, 5, 5, 5}, {{0, 0}, 100, 100});
  EXPECT_NEAR(point.x_of(5), 50, 0.01);
  EXPECT_GT(point.grid_step(), 0);
}

}  // namespace
}  // namespace sweepd::tools::replay_picture_test
