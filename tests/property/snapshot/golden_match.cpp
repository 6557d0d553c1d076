// SPDX-License-Identifier: MIT
#include "property/snapshot/golden_match.h"

#include "collision/shapes/shape_check.h"

namespace sweepd::property {

using namespace match;  // NOLINT: this file speaks of nothing else.
using collision::LayerId;
using collision::Point;
using collision::Subunits;

namespace {

enum Layer : LayerId { kShip, kShot, kEnemy, kBullet, kGraze };

// Numbers and blocks of ids, in the order of the slots.
constexpr ParticipantNumber kStage = 0, kAnn = 1, kBob = 2;
constexpr ObjectId kStageIds = 1, kAnnIds = 1001, kBobIds = 2001;

/// From 0 to `count` - 1, as if by chance.
Subunits pick(Tick tick, std::uint64_t salt, std::uint64_t count) {
  return static_cast<Subunits>((tick * 2654435761u + salt * 40503u) >> 7) % static_cast<Subunits>(count);
}

collision::ObjectSpec object(ObjectId id, Point position, std::vector<collision::Part> parts) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.position = position;
  spec.parts = std::move(parts);
  return spec;
}

collision::Part box(LayerId layer, Subunits reach) {
  return {.box = {-reach, -reach, reach, reach}, .layer = layer};
}

collision::ObjectSpec ship(ObjectId id, Point position) {
  collision::ObjectSpec spec =
      object(id, position, {box(kShip, 40), *collision::make_circle({}, 300, kGraze)});
  spec.hit_points = 9;
  return spec;
}

collision::ObjectSpec shot(ObjectId id, Point position) {
  collision::ObjectSpec spec =
      object(id, position, {*collision::make_capsule({-20, 0}, {20, 30}, 10, kShot)});
  spec.motion.velocity = {0, -190};
  spec.damage = 2;
  spec.single_use = spec.continuous = spec.despawn_outside_playfield = true;
  return spec;
}

collision::ObjectSpec bullet(ObjectId id, Tick tick) {
  collision::ObjectSpec spec = object(id, {pick(tick, id, 4000) - 2000, -1800}, {box(kBullet, 30)});
  spec.motion = {{pick(tick, 7, 60) - 30, 50}, {0, pick(tick, 9, 3)}};
  spec.time_to_live_ticks = 50;
  spec.damage = 1;
  return spec;
}

collision::ObjectSpec boss() {
  const collision::BitMask mask(3, 2, 100, {0b101, 0b011});
  collision::ObjectSpec spec =
      object(kStageIds, {0, -1200}, {box(kEnemy, 200), *collision::make_mask({300, 0}, 0, mask, kEnemy)});
  spec.hit_points = 1'000'000;
  spec.damage = 1;
  return spec;
}

void play_stage(Match& match, Tick tick) {
  Frame frame;
  if (tick == 2) frame.spawns.push_back(boss());
  frame.spawns.push_back(bullet(kStageIds + 1 + static_cast<ObjectId>(tick), tick));
  if (tick % 3 == 0) frame.moves.push_back({kStageIds, {pick(tick, 1, 2000) - 1000, -1200}});
  if (tick % 20 == 16)
    frame.freezes.push_back({.layers = {kBullet}, .region = collision::Box{-500, -3000, 500, 3000}});
  if (tick % 20 == 3) frame.releases.push_back({});
  if (tick % 40 == 30)
    frame.mass_despawns.push_back({.layers = {kBullet}, .region = collision::Box{0, 0, 900, 900}});
  if (tick % 10 == 4) frame.scroll = Point{0, static_cast<Subunits>(tick)};
  if (tick % 25 == 24) frame.transfers.push_back({.objects = {static_cast<ObjectId>(tick)}, .to = kAnn});
  if (tick % 50 == 49) frame.reshapes.push_back({kStageIds, {box(kEnemy, 150 + pick(tick, 3, 100))}});
  match.apply(Submission{kStage, std::move(frame)});
}

void play_player(Match& match, Tick tick, ParticipantNumber number, ObjectId ids) {
  Frame frame;
  frame.tick = tick + (tick % 5 == 0 ? 3 : 0);  // Some wait.
  frame.acknowledged_tick = tick - 1;
  if (tick == 2) frame.spawns.push_back(ship(ids, {number == kAnn ? -300 : 300, 800}));
  if (tick % 4 == 1) {
    frame.spawns.push_back(shot(ids + static_cast<ObjectId>(tick), {pick(tick, number, 1200) - 600, 600}));
  }
  frame.moves.push_back({ids, {pick(tick, number, 900) - 450, 700 + pick(tick, 5, 200)}});
  if (tick % 30 == 20) frame.teleports.push_back({ids, {0, 900}});
  if (tick % 45 == 15) frame.disables.push_back({ids, tick + 8});
  frame.claims.push_back({.number = static_cast<std::uint32_t>(tick),
                          .shot = ids + static_cast<ObjectId>(tick - tick % 4 - 3),
                          .target = kStageIds,
                          .tick_seen = tick - 2,
                          .tolerance = 900});
  if (tick % 2 == 0) frame.delay_ticks = 4;
  match.apply(Submission{number, std::move(frame)});
}

void come(Match& match, const char* name, Role role) {
  static_cast<void>(match.apply(Join{name, role}).ok());
}

void come_and_go(Match& match, Tick tick) {
  if (tick == 1) {
    come(match, "stage", Role::kStage);
    come(match, "ann", Role::kPlayer);
    come(match, "bob", Role::kPlayer);
    come(match, "eve", Role::kObserver);
  }
  if (tick == 57) match.apply(Away{kStage});
  if (tick == 64) match.apply(Back{kStage});
  if (tick == 90) come(match, "bob", Role::kPlayer);
  if (tick == 120) match.apply(Leave{kStage});
  if (tick % 11 == 6)
    match.apply(RefusedMessage{kAnn, RejectionReason::kTooManyBytes, tick, "moves", "too much of it"});
}

}  // namespace

MatchConfig golden_config() {
  MatchConfig config;
  config.late_frames = LateFramePolicy::kApplyNext;  // What was the default when it was made.
  config.name = "golden";
  config.layers = {"ship", "shot", "enemy", "bullet", "graze"};
  config.collides = {{.layer_a = "shot", .layer_b = "enemy", .by_claims = true},
                     {"ship", "bullet"},
                     {"graze", "bullet", true},
                     {"ship", "enemy"}};
  config.playfield = {-2500, -2500, 2500, 2500};
  config.clock = ClockKind::kManual;
  config.slots = {{"stage", Role::kStage, kStageIds, 1000},
                  {"ann", Role::kPlayer, kAnnIds, 2000},
                  {"bob", Role::kPlayer, kBobIds, 3000}};
  config.history_ticks = 40;
  config.claims = {.policy = ClaimPolicy::kEnforce, .hits_per_shot_max = 2};
  config.stage_handover = StageHandover::kLowestNumber;
  config.clearable_layers = {"bullet"};
  config.reconnect_ticks = 10;
  config.masks = {{.width = 3, .height = 2, .pixel_size = 100, .rows = {0b101, 0b011}}};
  config.limits = {{.role = Role::kPlayer, .objects_max = 30, .frames_max = 2}};
  config.layer_limits = {{.layer = "ship", .speed_max = 700, .speed_budget_ticks = 4}};
  config.scoring = {{.layer_a = "shot", .layer_b = "enemy", .points = 10, .cooldown_ticks = 6},
                    {.layer_a = "graze", .layer_b = "bullet", .when = ScoringMoment::kContact, .points = 1},
                    {.layer_a = "ship", .layer_b = "bullet", .points = -5, .once_per_object = true}};
  return config;
}

void play_to_golden_snapshot(Match& match) {
  while (match.tick() < kGoldenSnapshotTick) play_golden_tick(match);
  match.apply(RefusedMessage{kAnn, RejectionReason::kTooManyBytes, 61, "spawns", "too much of it"});
  match.apply(Leave{kBob});
  come(match, "zed", Role::kObserver);
}

const TickOutput& play_golden_tick(Match& match) {
  const Tick tick = match.tick() + 1;
  come_and_go(match, tick);
  if (tick > 1) {
    play_stage(match, tick);
    play_player(match, tick, kAnn, kAnnIds);
    play_player(match, tick, kBob, kBobIds);
  }
  return match.step();
}

}  // namespace sweepd::property
