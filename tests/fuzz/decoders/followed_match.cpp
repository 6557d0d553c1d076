// SPDX-License-Identifier: MIT
#include "fuzz/decoders/followed_match.h"

#include <utility>

#include "base/assert.h"

namespace sweepd::fuzz {
namespace {

constexpr match::Tick kTicks = 12;

match::MatchConfig config() {
  match::MatchConfig config;
  config.layers = {"ship", "bullet", "item"};
  config.collides = {{"ship", "bullet"}, {"ship", "item"}};
  config.clock = match::ClockKind::kManual;
  config.history_ticks = 8;
  config.retained_ticks = 6;
  config.masks.push_back({3, 2, 100, "\x05\x03"});
  config.claims.policy = match::ClaimPolicy::kEnforce;
  return config;
}

collision::ObjectSpec object(collision::ObjectId id, collision::ShapeKind kind, collision::LayerId layer) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.position = {static_cast<collision::Subunits>(id) * 100, 0};
  collision::Part part;
  part.kind = kind;
  part.layer = layer;
  part.box = {0, 0, 512, 512};
  if (kind == collision::ShapeKind::kCircle) part.radius = 256;
  if (kind == collision::ShapeKind::kCapsule) part.radius = 100;
  if (kind == collision::ShapeKind::kMask) part.box = {0, 0, 0, 0};
  spec.parts = {part, part};
  return spec;
}

match::Frame opening(collision::ObjectId first_id) {
  using collision::ShapeKind;
  match::Frame frame;
  frame.spawns = {object(first_id, ShapeKind::kBox, 0), object(first_id + 1, ShapeKind::kCircle, 1),
                  object(first_id + 2, ShapeKind::kCapsule, 1), object(first_id + 3, ShapeKind::kMask, 2)};
  frame.spawns[1].motion.velocity = {7, -3};
  frame.spawns[2].continuous = true;
  return frame;
}

}  // namespace

FollowedMatch::FollowedMatch() {
  host_ = &matches_.add(registry_.add()->id, std::move(*match::Match::create(config())));
  const auto seating = host_->join(listener_, {"player", match::Role::kPlayer});
  SWEEPD_ASSERT(seating.ok());
  participant_ = seating->participant.number;
  const collision::ObjectId ship = seating->participant.first_id;
  run_tick(opening(ship));
  while (host_->match().tick() < kTicks) {
    match::Frame frame;
    // In contact in every other tick.
    frame.moves = {{ship, {host_->match().tick() % 2 == 0 ? 100 : 1'000'000, 0}}};
    run_tick(frame);
  }
  SWEEPD_ASSERT(host_->match().object_count() == 4 && host_->match().last_sequence_number() > kTicks);
}

void FollowedMatch::run_tick(const match::Frame& frame) {
  host_->submit(participant_, frame);
  host_->step(1, {}, [this](const auto& result) {
    SWEEPD_ASSERT(result.ok());
    loop_.stop();
  });
  loop_.run();
}

void FollowedMatch::watch(const runtime::SubscriptionOptions& options) {
  Listener watcher;
  host_->collect(host_->watch(watcher, options), watcher, true);
  host_->leave(watcher);
}

}  // namespace sweepd::fuzz
