// SPDX-License-Identifier: MIT
#include "bot.h"

#include <algorithm>
#include <cmath>

#include "demo_match.h"

namespace sweepd::demo {
namespace {

constexpr double kSight = 44;
// Between two times in which nothing hits the ship.
constexpr Tick kAwakeTicks = 30;

JoinOptions join_options(const std::string& match_id, const std::string& name) {
  JoinOptions options;
  options.match_id = match_id;
  options.name = name;
  return options;
}

/// Away from a bullet, the harder the nearer.
Vec2 push_from(Vec2 ship, const Bullet& bullet) {
  const double dx = ship.x - bullet.position.x - bullet.motion.velocity.x * 6;
  const double dy = ship.y - bullet.position.y - bullet.motion.velocity.y * 6;
  const double distance = std::max(std::hypot(dx, dy), 1.0);
  if (distance > kSight) return {};
  const double strength = (kSight - distance) / kSight * 3;
  return {dx / distance * strength, dy / distance * strength};
}

}  // namespace

Bot::Bot(Client& client, const std::string& match_id, const std::string& name, double home)
    : name_(name),
      home_(home),
      session_(client.join(join_options(match_id, name))),
      position_{kWidth / 2 + home, kHeight * 0.8} {}

bool Bot::owns(ObjectId id) const {
  const auto participant = session_.participant();
  return participant && id >= participant->first_id && id <= participant->last_id;
}

Status Bot::play_frame(double boss_x, const std::vector<Bullet>& bullets) {
  if (ship_ == 0) {
    if (Status status = spawn_ship(); !status.ok()) return status;
  }
  dodge(boss_x, bullets);
  if (Status status = session_.move(ship_, position_); !status.ok()) return status;
  if (++frames_ % kFramesPerShot == 0) {
    if (Status status = shoot(); !status.ok()) return status;
  }
  const Status sent = session_.end_frame();
  // A slow connection: the frame goes on gathering and leaves with the next.
  if (sent.code() == ErrorCode::kQueueFull) return {};
  if (sent.ok()) ++frames_sent_;
  return sent;
}

Status Bot::react() {
  if (Status status = take_refusals(session_, changes_too_late_); !status.ok()) return status;
  while (const auto event = session_.poll_event()) {
    if (event->kind != EventKind::kEnter) continue;
    const bool mine_is_a = owns(event->object_a);
    const ObjectId mine = mine_is_a ? event->object_a : event->object_b;
    const std::uint32_t layer = mine_is_a ? event->layer_a : event->layer_b;
    const std::uint32_t other_layer = mine_is_a ? event->layer_b : event->layer_a;
    if (!owns(mine)) continue;
    Status status;
    if (layer == kPlayerShot) status = session_.despawn(mine);
    if (layer == kPlayer && other_layer != kItem) status = blink();
    // A shot that touched two enemies in one tick is gone with the first.
    if (!status.ok() && status.code() != ErrorCode::kUnknownObject) return status;
  }
  return {};
}

Status Bot::blink() {
  const Tick tick = session_.tick();
  if (tick < may_blink_from_) return {};
  may_blink_from_ = tick + kBlinkTicks + kAwakeTicks;
  return session_.disable(ship_, tick + kBlinkTicks);
}

Status Bot::spawn_ship() {
  const Result<ObjectId> id = session_.spawn("ship", position_);
  if (!id.ok()) return id.status();
  ship_ = *id;
  ++objects_spawned_;
  return {};
}

Status Bot::shoot() {
  ++objects_spawned_;
  return session_.spawn("shot", {position_.x, position_.y - 10}, Motion{{0, -kShotSpeed}, {}}).status();
}

void Bot::dodge(double boss_x, const std::vector<Bullet>& bullets) {
  Vec2 wish{(boss_x + home_ - position_.x) / 30, (kHeight * 0.8 - position_.y) / 30};
  for (const Bullet& bullet : bullets) {
    const Vec2 push = push_from(position_, bullet);
    wish.x += push.x;
    wish.y += push.y;
  }
  const double length = std::hypot(wish.x, wish.y);
  const double scale = length > kShipSpeed ? kShipSpeed / length : 1;
  position_.x = std::clamp(position_.x + wish.x * scale, 12.0, kWidth - 12);
  position_.y = std::clamp(position_.y + wish.y * scale, kHeight / 2, kHeight - 12);
}

}  // namespace sweepd::demo
