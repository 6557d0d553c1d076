// SPDX-License-Identifier: MIT
#include "property/snapshot/random_match.h"

#include <algorithm>
#include <utility>

#include "collision/shapes/shape_check.h"
#include "match/world_config.h"

namespace sweepd::property {

using namespace match;  // NOLINT: this file speaks of nothing else.
using collision::Subunits;

namespace {

constexpr const char* kNames[] = {"stage", "ann", "bob", "cid", "eye", "dot"};

}  // namespace

std::vector<RandomMatch::Call> RandomMatch::next_calls(const Match& match) {
  std::vector<Call> calls;
  if (match.participants().size() < 3 || random_.chance(6)) calls.push_back(come(match));
  if (random_.chance(4)) calls.push_back(go(match));
  for (const Participant& sender : match.participants()) {
    for (std::size_t frames = random_.index(3); frames > 0; --frames) {
      calls.push_back([number = sender.number, frame = frame(match, sender)](Match& to) {
        const auto rejection = to.apply(Submission{number, frame});
        return rejection ? rejection->field + rejection->message : "";
      });
    }
  }
  if (random_.chance(5)) {
    const auto number = static_cast<ParticipantNumber>(random_.index(4));
    const int times = random_.chance(40) ? 80 : 1;  // More than a tick lists.
    calls.push_back([number, times](Match& to) {
      for (int i = 0; i < times; ++i)
        to.apply(RefusedMessage{number, RejectionReason::kTooManyBytes, to.tick(), "moves", "too much"});
      return std::string();
    });
  }
  if (random_.chance(2)) calls.push_back([](Match& to) { return text_of(to.report_refusals()); });
  return calls;
}

RandomMatch::Call RandomMatch::come(const Match& match) {
  Join request{.name = kNames[random_.index(6)], .role = Role::kPlayer};
  if (request.name == "stage") request.role = Role::kStage;
  if (request.name == "eye") request.role = Role::kObserver;
  if (match.participants().empty()) request = {"stage", Role::kStage};
  return [request](Match& to) {
    const auto joined = to.apply(request);
    return joined ? std::to_string(joined->number) : "no " + std::to_string(static_cast<int>(joined.error()));
  };
}

RandomMatch::Call RandomMatch::go(const Match& match) {
  const auto number = static_cast<ParticipantNumber>(random_.index(match.participants().size() + 1));
  switch (random_.index(5)) {
    case 0:
      return [number](Match& to) { return to.apply(Leave{number}), std::string(); };
    case 1:
      return [number](Match& to) { return to.apply(Back{number}) ? "back" : "gone"; };
    default:
      return [number](Match& to) { return to.apply(Away{number}), std::string(); };
  }
}

Frame RandomMatch::frame(const Match& match, const Participant& sender) {
  Frame frame;
  frame.acknowledged_tick = match.tick();
  if (sender.role == Role::kObserver && random_.chance(80)) return frame;
  if (random_.chance(40)) {
    frame.tick = static_cast<Tick>(
        std::max<std::int64_t>(0, static_cast<std::int64_t>(match.tick()) + random_.between(-10, 14)));
  }
  while (random_.chance(60)) spawn(sender, frame);
  const PastWorld world = match.world_at(match.tick());
  for (const PastObject& object : world.objects()) {
    if (object.owner == sender.number || random_.chance(1)) change(object, match, frame);
  }
  frame.relative_moves = random_.index(frame.moves.size() + 1);
  if (random_.chance(10)) command(match, frame);
  while (random_.chance(40)) frame.claims.push_back(claim(match, sender.number));
  if (random_.chance(50)) frame.delay_ticks = static_cast<std::uint32_t>(random_.index(6));
  return frame;
}

void RandomMatch::spawn(const Participant& sender, Frame& frame) {
  collision::ObjectSpec spec;
  spec.id = sender.first_id + static_cast<ObjectId>(random_.index(random_.chance(90) ? 20 : 100));
  spec.position = point();
  spec.parts = parts();
  if (random_.chance(50)) spec.motion = motion();
  if (random_.chance(30)) spec.time_to_live_ticks = static_cast<std::uint32_t>(random_.between(1, 40));
  spec.despawn_outside_playfield = random_.chance(50);
  spec.continuous = random_.chance(20);
  spec.single_use = random_.chance(25);
  if (random_.chance(40)) spec.hit_points = static_cast<std::uint32_t>(random_.between(1, 9));
  if (random_.chance(50)) spec.damage = static_cast<std::uint32_t>(random_.between(1, 3));
  if (random_.chance(1)) spec.position = {collision::kSubunitsMax - 400, collision::kSubunitsMin + 400};
  frame.spawns.push_back(std::move(spec));
}

void RandomMatch::change(const PastObject& object, const Match& match, Frame& frame) {
  const ObjectId id = object.id;
  const auto step = [this] { return static_cast<Subunits>(random_.between(-200, 200)); };
  const bool goes_straight = id % 3 == 0;
  if (goes_straight && random_.chance(95)) {
    frame.moves.push_back(
        {id, sum(object.trajectory.position, {static_cast<Subunits>(id % 40) * 5 - 100, 30})});
  }
  if (!goes_straight && random_.chance(40))
    frame.moves.push_back({id, sum(object.trajectory.position, {step(), step()})});
  if (random_.chance(2)) frame.moves.push_back({id, point()});
  if (random_.chance(3)) frame.teleports.push_back({id, point()});
  if (random_.chance(8)) frame.motions.push_back({id, motion()});
  if (random_.chance(3)) frame.reshapes.push_back({id, parts()});
  if (random_.chance(3)) frame.layer_changes.push_back({id, std::nullopt, layer()});
  if (random_.chance(3)) frame.layer_changes.push_back({id, 0, layer()});
  if (random_.chance(3)) frame.disables.push_back({id, match.tick() + random_.index(9)});
  if (random_.chance(1)) frame.disables.push_back({id, 0});
  if (random_.chance(2)) frame.enables.push_back(id);
  if (random_.chance(2)) frame.despawns.push_back(id);
}

void RandomMatch::command(const Match& match, Frame& frame) {
  const auto to = static_cast<std::uint32_t>(random_.index(match.participants().size() + 1));
  switch (random_.index(7)) {
    case 0:
      frame.freezes.push_back(selection());
      break;
    case 1:
    case 2:
      frame.releases.push_back(selection());
      break;
    case 3:
      frame.mass_despawns.push_back(selection());
      break;
    case 4:
      frame.transfers.push_back({.objects = {}, .to = to, .with_stage = random_.chance(50)});
      break;
    case 5:
      frame.transfers.push_back({.objects = {1, 2, 3, 4, 5}, .to = to});
      break;
    default:
      frame.scroll = collision::Point{static_cast<Subunits>(random_.between(-900, 900)), 0};
  }
}

/// Mostly of what is still there, and sometimes of what has been used up since.
HitClaim RandomMatch::claim(const Match& match, ParticipantNumber claimant) {
  HitClaim claim{.number = static_cast<std::uint32_t>(random_.index(1000))};
  claim.tick_seen = match.tick() + 1 - std::min<Tick>(match.tick() + 1, random_.index(12));
  const bool is_past = random_.chance(50) && match.known_ticks().has(claim.tick_seen);
  std::vector<ObjectId> own = {1}, others = {2};
  const PastWorld then = match.world_at(is_past ? claim.tick_seen : match.tick());
  for (const PastObject& object : then.objects()) {
    if (object.owner == claimant) own.push_back(object.id);
  }
  const PastWorld now = match.world_at(match.tick());
  for (const PastObject& object : now.objects()) {
    if (object.owner != claimant) others.push_back(object.id);
  }
  claim.shot = own[random_.index(own.size())];
  claim.target = others[random_.index(others.size())];
  claim.tolerance = static_cast<std::uint32_t>(random_.index(4'500));
  if (random_.chance(15)) claim.shot_part = static_cast<std::uint32_t>(random_.index(3));
  if (random_.chance(15)) claim.target_part = static_cast<std::uint32_t>(random_.index(3));
  return claim;
}

Selection RandomMatch::selection() {
  Selection selection;
  if (random_.chance(60)) selection.layers = {layer()};
  const auto [x, y] = point();
  if (random_.chance(60)) selection.region = collision::Box{x - 2'000, y - 2'000, x + 2'000, y + 2'000};
  return selection;
}

collision::Part RandomMatch::part() {
  static const auto kMasks = world_config_of(random_config(0)).masks;
  const auto on = static_cast<collision::LayerId>(layer());
  const auto radius = static_cast<Subunits>(random_.between(0, 300));
  const auto x = static_cast<Subunits>(random_.between(-300, 300));
  const auto y = static_cast<Subunits>(random_.between(-300, 300));
  switch (random_.index(6)) {
    case 0:
      return *collision::make_circle({x, y}, radius, on);
    case 1:
      return *collision::make_capsule({x, y}, {y, radius}, radius / 2, on);
    case 2:
      return *collision::make_mask({x, y}, 0, kMasks[0], on);
    default:
      return {.box = {x, y, x + radius, y + 300 - radius}, .layer = on};
  }
}

std::vector<collision::Part> RandomMatch::parts() {
  std::vector<collision::Part> parts(1 + random_.index(random_.chance(20) ? 4 : 1));
  for (collision::Part& made : parts) made = part();
  return parts;
}

collision::Motion RandomMatch::motion() {
  const auto number = [this](Subunits most) { return static_cast<Subunits>(random_.between(-most, most)); };
  if (random_.chance(20)) return {};
  const collision::Point velocity{number(150), number(150)};
  return {velocity, random_.chance(40) ? collision::Point{number(9), number(9)} : collision::Point{}};
}

collision::Point RandomMatch::point() {
  const auto x = static_cast<Subunits>(random_.between(-3'000, 3'000));
  return {x, static_cast<Subunits>(random_.between(-3'000, 3'000))};
}

}  // namespace sweepd::property
