// SPDX-License-Identifier: MIT
#include "stage.h"

#include <algorithm>

#include "demo_match.h"
#include "pattern.h"

namespace sweepd::demo {
namespace {

constexpr std::uint64_t kSpiralFrames = 6;
constexpr std::uint64_t kFanFrames = 50;
constexpr std::uint64_t kRingFrames = 170;
constexpr std::uint64_t kEnemyFrames = 25;
constexpr std::uint64_t kBossPauseFrames = 120;
// Bullets that stand still for ever would fill the field; none of ours does, but a limit costs nothing.
constexpr std::uint32_t kTimeToLiveTicks = 900;

JoinOptions join_options(const std::string& match_id) {
  JoinOptions options;
  options.match_id = match_id;
  options.name = "stage";
  options.role = Role::kStage;
  return options;
}

void fly_once(Vec2& position, Motion& motion) {
  motion.velocity.x += motion.acceleration.x;
  motion.velocity.y += motion.acceleration.y;
  position.x += motion.velocity.x;
  position.y += motion.velocity.y;
}

}  // namespace

Stage::Stage(Client& client, const std::string& match_id) : session_(client.join(join_options(match_id))) {}

Status Stage::play_frame(const std::vector<Vec2>& players) {
  ++frame_;
  fly();
  if (!boss_.alive() && frame_ >= boss_back_at_frame_) {
    if (Status status = boss_.appear(session_); !status.ok()) return status;
    ++objects_spawned_;
  }
  if (boss_.alive()) {
    if (Status status = boss_.move(session_, frame_); !status.ok()) return status;
    if (Status status = fire(players); !status.ok()) return status;
  }
  if (Status status = send_enemies(); !status.ok()) return status;
  const Status sent = session_.end_frame();
  // A slow connection: the frame goes on gathering and leaves with the next.
  if (sent.code() == ErrorCode::kQueueFull) return {};
  if (sent.ok()) ++frames_sent_;
  return sent;
}

Status Stage::fire(const std::vector<Vec2>& players) {
  const Vec2 from = boss_.position();
  std::vector<Motion> motions;
  const auto add = [&motions](const std::vector<Motion>& more) {
    motions.insert(motions.end(), more.begin(), more.end());
  };
  if (frame_ % kSpiralFrames == 0) add(spiral_arms(3, static_cast<double>(frame_) * 0.03, 1.6));
  if (frame_ % kFanFrames == 0)
    add(aimed_fan(from, players[frame_ / kFanFrames % players.size()], 5, 0.2, 2.4));
  if (frame_ % kRingFrames == 0) add(accelerating_ring(24, static_cast<double>(frame_), 0.25, 0.02));
  return fire(from, motions);
}

Status Stage::fire(Vec2 from, const std::vector<Motion>& motions) {
  for (const Motion& motion : motions) {
    const Result<ObjectId> id = spawn(from, 6, 6, kEnemyBullet, motion);
    if (!id.ok()) return id.status();
    bullets_.push_back({*id, from, motion});
  }
  return {};
}

Status Stage::send_enemies() {
  if (frame_ % kEnemyFrames != 0) return {};
  chance_ = chance_ * 1664525u + 1013904223u;
  const double share = (chance_ >> 8) / double{1 << 24};
  const Vec2 position{20 + share * (kWidth - 40), 1};
  const Motion motion{{(0.5 - share) * 1.5, 1.3}, {}};
  const Result<ObjectId> id = spawn(position, 20, 16, kEnemy, motion);
  if (id.ok()) enemies_.emplace(*id, Enemy{position, motion});
  return id.status();
}

Status Stage::drop_item(Vec2 position) { return spawn(position, 14, 14, kItem, {{0, 1.5}, {}}).status(); }

Status Stage::react(const std::function<void(const Event&)>& on_event,
                    const std::function<void(const std::string&)>& on_news) {
  if (Status status = take_refusals(session_, changes_too_late_); !status.ok()) return status;
  while (const auto event = session_.poll_event()) {
    on_event(*event);
    if (event->kind != EventKind::kEnter) continue;
    const Status status = take_hit(*event, on_news);
    // What touched two ships in one tick is gone with the first.
    if (!status.ok() && status.code() != ErrorCode::kUnknownObject) return status;
  }
  return {};
}

Status Stage::take_hit(const Event& event, const std::function<void(const std::string&)>& on_news) {
  const bool b_is_shooter =
      event.layer_b == kPlayer || event.layer_b == kPlayerShot || event.layer_b == kGraze;
  const ObjectId target = b_is_shooter ? event.object_a : event.object_b;
  const std::uint32_t target_layer = b_is_shooter ? event.layer_a : event.layer_b;
  const std::uint32_t part = b_is_shooter ? event.part_a : event.part_b;
  const std::uint32_t shooter_layer = b_is_shooter ? event.layer_b : event.layer_a;
  if (target_layer == kItem) return session_.despawn(target);
  if (target_layer == kEnemyBullet) return shooter_layer == kPlayer ? remove_bullet(target) : Status();
  if (boss_.alive() && target == boss_.id()) {
    bool destroyed = false;
    const Status status = boss_.take_hit(session_, part, destroyed);
    if (destroyed) on_news("the boss loses its " + std::string(Boss::part_name(part)));
    if (!boss_.alive()) on_news("the boss is destroyed");
    if (!boss_.alive()) boss_back_at_frame_ = frame_ + kBossPauseFrames;
    return status;
  }
  const auto enemy = enemies_.find(target);
  if (enemy == enemies_.end() || --enemy->second.hit_points > 0) return {};
  const Vec2 position = enemy->second.position;
  enemies_.erase(enemy);
  if (Status status = drop_item(position); !status.ok()) return status;
  return session_.despawn(target);
}

Status Stage::remove_bullet(ObjectId id) {
  std::erase_if(bullets_, [id](const Bullet& bullet) { return bullet.id == id; });
  return session_.despawn(id);
}

// The same steps as the server's, for what the stage and the bots must know of their own accord.
void Stage::fly() {
  for (Bullet& bullet : bullets_) fly_once(bullet.position, bullet.motion);
  std::erase_if(bullets_, [](const Bullet& bullet) { return !in_field(bullet.position, 3); });
  for (auto& [id, enemy] : enemies_) fly_once(enemy.position, enemy.motion);
  std::erase_if(enemies_, [](const auto& entry) { return !in_field(entry.second.position, 10); });
}

Result<ObjectId> Stage::spawn(Vec2 position, double width, double height, std::uint32_t layer,
                              const Motion& motion) {
  ObjectSpec object;
  object.position = position;
  object.parts = {{centered_box(width, height), layer}};
  object.motion = motion;
  object.time_to_live_ticks = kTimeToLiveTicks;
  object.despawn_outside_playfield = true;
  ++objects_spawned_;
  return session_.spawn(object);
}

}  // namespace sweepd::demo
