// SPDX-License-Identifier: MIT
//
// What claims cost between objects of as many parts as there may be, 32 against 32: of plain boxes to pixels,
// in places where their boxes tell which two are closest, and in ones where they tell nothing.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "collision/shapes/shape_check.h"
#include "match/match.h"

namespace sweepd::bench {
namespace {

using collision::LayerId;
using collision::Part;
using collision::Point;
using collision::Subunits;

constexpr int kPixels = 64;
constexpr Subunits kSize = kPixels * 32;  ///< Of a part.
constexpr collision::ObjectId kShot = 1;
constexpr LayerId kShotLayer = 0;
constexpr LayerId kEnemyLayer = 1;

/// A disc of pixels with a slit in every other row.
match::MaskConfig sprite() {
  match::MaskConfig mask{.width = kPixels, .height = kPixels, .pixel_size = kSize / kPixels, .rows = {}};
  for (int y = 0; y < kPixels; ++y) {
    std::string row(kPixels / 8, '\0');
    for (int x = 0; x < kPixels; ++x) {
      const int dx = x - kPixels / 2, dy = y - kPixels / 2;
      const bool is_slit = y % 2 == 1 && dx > -4 && dx < 4;
      const bool is_set = dx * dx + dy * dy < kPixels * kPixels / 4 && !is_slit;
      if (is_set) row[static_cast<std::size_t>(x / 8)] |= static_cast<char>(1 << x % 8);
    }
    mask.rows += row;
  }
  return mask;
}

/// In eight columns and four rows.
Point in_grid(int index) { return {3 * kSize / 2 * (index % 8), 3 * kSize / 2 * (index / 8)}; }

Part box(int index, LayerId layer) {
  const Point at = in_grid(index);
  return {.box = {at.x, at.y, at.x + kSize, at.y + kSize}, .layer = layer};
}

Part circle(int index, LayerId layer) { return *collision::make_circle(in_grid(index), kSize / 2, layer); }

Part pixels(int index, LayerId layer) {
  const Point at = in_grid(index);
  return {
      .box = {at.x, at.y, at.x + kSize, at.y + kSize}, .layer = layer, .kind = collision::ShapeKind::kMask};
}

/// All in one place.
Part stacked_pixels(int, LayerId layer) { return pixels(0, layer); }

/// Long and slanted, side by side: each box overlaps all others, and no two touch.
Part slanted(int index, LayerId layer) {
  const Subunits shift = 40 * index;
  return *collision::make_capsule({shift, 0}, {shift + 20 * kSize, 20 * kSize}, 2, layer);
}

struct Layout {
  const char* name;
  Part (*part)(int index, LayerId layer);
  Point target_at;  ///< The shot is at 0, 0.
  collision::Motion shot_motion = {};
};

const Layout kLayouts[] = {
    {"boxes/touching", box, {kSize, kSize}},
    {"boxes/apart", box, {20 * kSize, 3 * kSize}},
    {"circles/near", circle, {13 * kSize, 0}},
    {"circles/shot_passes_by", circle, {20 * kSize, 7 * kSize}, {{20 * kSize, 0}, {}}},
    {"sprites/near", pixels, {13 * kSize, 0}},
    {"sprites/slanted_to_each_other", pixels, {23 * kSize / 2, 11 * kSize / 2}},
    {"slanted/between_each_other", slanted, {20, 0}},
    {"stacked_sprites/corner_to_corner", stacked_pixels, {7 * kSize / 8, 7 * kSize / 8}},
};

collision::ObjectSpec object(collision::ObjectId id, const Layout& layout, LayerId layer) {
  collision::ObjectSpec spec;
  spec.id = id;
  for (int i = 0; i < static_cast<int>(collision::kPartsMax); ++i) {
    spec.parts.push_back(layout.part(i, layer));
  }
  return spec;
}

void claim(benchmark::State& state, const Layout& layout) {
  match::MatchConfig config;
  config.layers = {"shot", "enemy"};
  config.collides = {{.layer_a = "shot", .layer_b = "enemy"}};
  config.masks = {sprite()};
  const auto match = std::move(match::Match::create(config).value());
  const match::Participant stage =
      match->apply(match::Join{.name = "stage", .role = match::Role::kStage}).value();
  match::Frame frame;
  frame.spawns = {object(kShot, layout, kShotLayer), object(kShot + 1, layout, kEnemyLayer)};
  frame.spawns[0].motion = layout.shot_motion;
  frame.spawns[1].position = layout.target_at;
  match->apply(match::Submission{stage.number, std::move(frame)});
  match->step();
  const match::Claimant claimant{.number = stage.number, .arrival_tick = 1, .delay_ticks = {}};
  const match::HitClaim hit{.number = 1, .shot = kShot, .target = kShot + 1, .tick_seen = 1};
  const auto verdict = match->judge(claimant, hit);
  if (!verdict.evidence) return state.SkipWithError("nothing was measured");
  for (auto _ : state) benchmark::DoNotOptimize(match->judge(claimant, hit));
  state.counters["margin"] = static_cast<double>(verdict.evidence->margin);
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  using namespace sweepd::bench;
  for (const Layout& layout : kLayouts) {
    const std::string name = std::string("claim_of_32_parts/") + layout.name;
    benchmark::RegisterBenchmark(name.c_str(), claim, layout)->Unit(benchmark::kMicrosecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
