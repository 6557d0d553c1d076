// SPDX-License-Identifier: MIT
#include "tools/sweepctl/scene.h"

#include <algorithm>

#include "tools/sweepctl/replay_files.h"

namespace sweepd::tools {
namespace {

using replay::Moment;
using replay::Tick;

void add_ways(const Moment& moment, Scene& scene) {
  for (const replay::MomentObject& object : moment.objects) {
    scene.ways[object.id].push_back({moment.tick, object.trajectory.position});
  }
}

void add_claims(const Moment& moment, Tick around, Scene& scene) {
  for (const match::ClaimVerdict& verdict : moment.claims) {
    if (moment.tick == around || verdict.tick_judged == around) {
      scene.claims.push_back({.tick = moment.tick, .verdict = verdict});
    }
  }
}

void find_objects(const Moment& moment, SceneClaim& claim) {
  if (claim.verdict.tick_judged != moment.tick) return;
  for (const replay::MomentObject& object : moment.objects) {
    if (object.id == claim.verdict.claim.shot) claim.shot = object;
    if (object.id == claim.verdict.claim.target) claim.target = object;
  }
}

/// The ticks by which claims were judged may lie before the ways.
Status find_judged_objects(const verification::AnyReplay& replay, Scene& scene) {
  Tick first = 0;
  Tick last = 0;
  for (const SceneClaim& claim : scene.claims) {
    const Tick judged = claim.verdict.tick_judged;
    if (judged == 0) continue;
    first = first == 0 ? judged : std::min(first, judged);
    last = std::max(last, judged);
  }
  if (first == 0) return {};
  return visit_ticks(replay, first, last, [&](const Moment& moment) {
    for (SceneClaim& claim : scene.claims) find_objects(moment, claim);
  });
}

}  // namespace

Result<Scene> read_scene(const verification::AnyReplay& replay, Tick around, std::uint32_t ticks) {
  const Tick count = replay.reader().tick_count();
  if (around < 1 || around > count) {
    return Status(ErrorCode::kOutOfRange,
                  "tick " + std::to_string(around) + " is asked for; must be 1 to " + std::to_string(count));
  }
  Scene scene;
  const Tick first = around > ticks ? around - ticks : 1;
  const Tick last = std::min<Tick>(count, around + ticks);
  // A claim about the tick comes later by up to as much as the match lets it be judged in the past.
  const Tick last_claim = std::min<Tick>(count, around + replay.reader().config().claims.rewind_ticks_max);
  Status status = visit_ticks(replay, first, std::max(last, last_claim), [&](const Moment& moment) {
    if (moment.tick <= last) add_ways(moment, scene);
    if (moment.tick >= around) add_claims(moment, around, scene);
    if (moment.tick == around) scene.moment = moment;
  });
  if (status.ok()) status = find_judged_objects(replay, scene);
  if (!status.ok()) return status;
  return scene;
}

}  // namespace sweepd::tools
