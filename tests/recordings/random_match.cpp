// SPDX-License-Identifier: MIT
#include "recordings/random_match.h"

#include <string>
#include <utility>

#include "collision/shapes/shape_check.h"
#include "recordings/recorded_tick.h"

namespace sweepd::recordings {

using collision::ObjectId;
using match::Frame;
using match::Role;

namespace {

constexpr std::int32_t kReach = 5'000;
constexpr std::uint32_t kObjectsMax = 12;

match::RoleLimits limits_of_players() {
  match::RoleLimits limits;
  limits.role = Role::kPlayer;
  limits.objects_max = 10;
  limits.may_teleport = true;
  return limits;
}

}  // namespace

match::MatchConfig random_match_config(std::uint64_t seed) {
  match::MatchConfig config;
  config.name = "random " + std::to_string(seed);
  config.layers = {"player", "shot", "enemy"};
  config.collides = {{"player", "enemy"}, {"shot", "enemy", false, 2}, {"player", "player", true}};
  config.clock = match::ClockKind::kManual;
  config.playfield = {-kReach, -kReach, kReach, kReach};
  config.clearable_layers = {"enemy"};
  config.masks.push_back({3, 2, 100, std::string("\x05\x03")});
  config.reconnect_ticks = 8;
  config.max_late_ticks = 3;
  config.max_lead_ticks = 5;
  config.limits.push_back(limits_of_players());
  config.layer_limits.push_back({.layer = "shot", .speed_max = 2'000});
  config.scoring.push_back({.name = "hit", .layer_a = "shot", .layer_b = "enemy", .points = 10});
  config.scoring.push_back({.name = "graze",
                            .layer_a = "player",
                            .layer_b = "enemy",
                            .when = match::ScoringMoment::kContact,
                            .points = 1});
  config.seed = seed;
  config.ruleset = {"random", "1"};
  if (seed % 2 == 1) {
    config.claims.policy = match::ClaimPolicy::kEnforce;
    config.collides[1] = {.layer_a = "shot", .layer_b = "enemy", .by_claims = true};
  }
  if (seed % 3 == 0) config.stage_handover = match::StageHandover::kLowestNumber;
  config.claims.hits_per_shot_max = 0;
  config.claims.tolerance_max = 4'000;
  return config;
}

RandomMatch::RandomMatch(std::uint64_t seed)
    : random_(seed),
      recorder_(std::move(match::Match::create(random_match_config(seed)).value())),
      match_(recorder_.match()) {}

replay::TickRecord RandomMatch::play_tick() {
  come_and_go();
  for (auto& [participant, guest] : guests_) {
    if (random_.chance(80)) send(guest);
  }
  recorder_.step();
  std::erase_if(guests_, [this](const auto& entry) { return !match_.find_participant(entry.first); });
  return take_record(recorder_);
}

replay::TickRecord RandomMatch::end() {
  come_and_go();
  recorder_.end();
  return take_record(recorder_);
}

void RandomMatch::come_and_go() {
  if (guests_.size() < 5 && random_.chance(guests_.empty() ? 100 : 25)) join();
  for (auto& [participant, guest] : guests_) {
    if (random_.chance(3)) recorder_.apply(match::Away{participant});
    if (random_.chance(20)) recorder_.apply(match::Back{participant});
    if (random_.chance(1)) recorder_.apply(match::Leave{participant});
  }
  recorder_.apply(match::Leave{77});
  std::erase_if(guests_, [this](const auto& entry) { return !match_.find_participant(entry.first); });
}

void RandomMatch::join() {
  const Role role = random_.chance(10) ? Role::kObserver : random_.chance(40) ? Role::kStage : Role::kPlayer;
  // A name that may be taken already: then it is refused.
  names_ += random_.chance(85) ? 1 : 0;
  const auto joined = recorder_.apply(match::Join{.name = "guest " + std::to_string(names_), .role = role});
  if (!joined) return;
  guests_[joined->number] = {.participant = *joined, .objects = {}, .next_id = joined->first_id};
}

void RandomMatch::send(Guest& guest) {
  recorder_.apply(match::Submission{guest.participant.number, random_frame(guest)});
  if (random_.chance(10)) recorder_.apply(match::Submission{guest.participant.number, {}});
}

match::Tick RandomMatch::any_tick() {
  const auto next = static_cast<std::int64_t>(match_.tick()) + 1;
  if (random_.chance(70)) return static_cast<match::Tick>(random_.chance(50) ? 0 : next);
  return static_cast<match::Tick>(std::max<std::int64_t>(0, next + random_.between(-5, 7)));
}

Frame RandomMatch::random_frame(Guest& guest) {
  Frame frame;
  frame.tick = any_tick();
  frame.acknowledged_tick = match_.tick();
  if (random_.chance(50)) frame.delay_ticks = static_cast<std::uint32_t>(random_.between(0, 9));
  add_spawns(guest, frame);
  for (const ObjectId id : guest.objects) {
    if (random_.chance(60)) frame.moves.push_back({id, any_point()});
  }
  frame.relative_moves = random_.index(frame.moves.size() + 1);
  if (random_.chance(40)) add_small_changes(guest, frame);
  if (random_.chance(8)) add_mass_changes(guest, frame);
  if (random_.chance(40)) add_claims(guest, frame);
  return frame;
}

void RandomMatch::add_spawns(Guest& guest, Frame& frame) {
  while (guest.objects.size() < kObjectsMax && random_.chance(50)) {
    collision::ObjectSpec spec;
    spec.id = guest.next_id++;
    spec.position = any_point();
    spec.parts = any_parts();
    if (random_.chance(60)) spec.motion = any_motion();
    if (random_.chance(30)) spec.time_to_live_ticks = static_cast<std::uint32_t>(number(1, 40));
    spec.despawn_outside_playfield = random_.chance(50);
    spec.continuous = random_.chance(20);
    spec.single_use = random_.chance(20);
    if (random_.chance(30)) spec.hit_points = static_cast<std::uint32_t>(number(1, 5));
    if (random_.chance(50)) spec.damage = 1;
    guest.objects.push_back(spec.id);
    frame.spawns.push_back(std::move(spec));
  }
}

void RandomMatch::add_small_changes(Guest& guest, Frame& frame) {
  if (random_.chance(20)) frame.reshapes.push_back({any_object(guest), any_parts()});
  if (random_.chance(20)) frame.layer_changes.push_back({any_object(guest), std::nullopt, 1});
  if (random_.chance(20)) {
    frame.layer_changes.push_back({any_object(guest), 0, static_cast<std::uint32_t>(number(0, 90))});
  }
  if (random_.chance(20)) frame.teleports.push_back({any_object(guest), any_point()});
  if (random_.chance(40)) frame.motions.push_back({any_object(guest), any_motion()});
  if (random_.chance(20)) frame.disables.push_back({any_object(guest), match_.tick() + 4});
  if (random_.chance(20)) frame.enables.push_back(any_object(guest));
  if (random_.chance(60) && !guest.objects.empty()) {
    frame.despawns.push_back(guest.objects.front());
    guest.objects.erase(guest.objects.begin());
  }
}

void RandomMatch::add_mass_changes(Guest& guest, Frame& frame) {
  if (random_.chance(30)) frame.freezes.push_back(any_selection());
  if (random_.chance(30)) frame.releases.push_back(any_selection());
  if (random_.chance(30)) frame.mass_despawns.push_back(any_selection());
  if (random_.chance(30)) frame.scroll = any_point();
  if (random_.chance(30)) {
    frame.transfers.push_back(
        {{any_object(guest)}, static_cast<std::uint32_t>(number(0, 4)), random_.chance(50)});
  }
}

void RandomMatch::add_claims(Guest& guest, Frame& frame) {
  for (const auto& [other, victim] : guests_) {
    match::HitClaim claim;
    claim.number = static_cast<std::uint32_t>(frame.claims.size());
    claim.shot = any_object(guest);
    claim.target = any_object(victim);
    if (random_.chance(20)) claim.shot_part = 0;
    if (random_.chance(20)) claim.target_part = static_cast<std::uint32_t>(number(0, 40));
    claim.tick_seen = match_.tick() - std::min<match::Tick>(match_.tick(), random_.index(8));
    claim.tolerance = static_cast<std::uint32_t>(number(0, 4'100));
    frame.claims.push_back(claim);
  }
}

/// Mostly one of the guest's; now and then somebody else's, or nobody's.
ObjectId RandomMatch::any_object(const Guest& guest) {
  if (guest.objects.empty() || random_.chance(5)) return static_cast<ObjectId>(number(0, 9));
  return guest.objects[random_.index(guest.objects.size())];
}

match::Selection RandomMatch::any_selection() {
  match::Selection selection;
  if (random_.chance(60)) selection.layers.push_back(static_cast<std::uint32_t>(number(0, 3)));
  if (random_.chance(60))
    selection.region = collision::Box{-kReach, -kReach, number(-900, 900), number(-900, 900)};
  return selection;
}

collision::Part RandomMatch::any_part() {
  const auto layer = static_cast<collision::LayerId>(random_.index(3));
  const std::int32_t radius = number(0, 400);
  const collision::Point at{number(-300, 300), number(-300, 300)};
  switch (random_.index(8)) {
    case 0:
      return *collision::make_circle(at, radius, layer);
    case 1:
      return *collision::make_capsule(at, {at.y, radius}, radius / 2, layer);
    case 2:
      return {.box = {at.x, at.y, at.x, at.y}, .layer = layer, .kind = collision::ShapeKind::kMask};
    case 3:  // Inverted, mostly.
      return {.box = {at.x, at.y, at.y, at.x}, .layer = layer};
    default:
      return {.box = {at.x, at.y, at.x + radius, at.y + 400 - radius}, .layer = layer};
  }
}

std::vector<collision::Part> RandomMatch::any_parts() {
  std::vector<collision::Part> parts(random_.chance(3) ? 0 : 1 + random_.index(random_.chance(20) ? 4 : 1));
  for (collision::Part& part : parts) part = any_part();
  return parts;
}

collision::Motion RandomMatch::any_motion() {
  if (random_.chance(20)) return {};
  const collision::Point acceleration{number(-9, 9), number(-9, 9)};
  return {{number(-150, 150), number(-150, 150)}, random_.chance(40) ? acceleration : collision::Point{}};
}

collision::Point RandomMatch::any_point() { return {number(-kReach, kReach), number(-kReach, kReach)}; }

std::int32_t RandomMatch::number(std::int32_t low, std::int32_t high) {
  return static_cast<std::int32_t>(random_.between(low, high));
}

std::vector<replay::TickRecord> record_random_match(std::uint64_t seed, std::uint32_t ticks) {
  RandomMatch match(seed);
  std::vector<replay::TickRecord> records;
  for (std::uint32_t i = 0; i < ticks; ++i) records.push_back(match.play_tick());
  records.push_back(match.end());
  return records;
}

}  // namespace sweepd::recordings
