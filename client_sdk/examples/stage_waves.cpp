// SPDX-License-Identifier: MIT
// A stage process: stage_waves [SERVER]. Waves come by a table, enemies shoot at where the world feed has the
// ships, and a boss has parts that break. One player flies against it, drawn from the feed, too.
#include <sweepd/client.h>
#include <sweepd/world_view.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <thread>
#include <vector>

namespace {

using sweepd::ObjectId;
using sweepd::Tick;
using sweepd::Vec2;

enum Layer : std::uint32_t { kShip, kShot, kEnemy, kBullet };
enum Tag : std::uint64_t { kShipTag = 1, kFighterTag, kTurretTag, kCoreTag, kBulletTag };  // What to draw.

constexpr int kTickRateHz = 60;
constexpr Tick kVolleyTicks = 40;  // From one to the next.
constexpr double kBulletSpeed = 3;
constexpr double kShipSpeed = 5;
constexpr double kShotSpeed = 16;

struct Wave {
  Tick at = 0;
  int count = 0;
  Vec2 from = {};
  sweepd::Motion motion = {};
};

const std::vector<Wave> kWaves = {{30, 4, {-200, -320}, {.velocity = {1.5, 0.75}}},
                                  {90, 4, {200, -320}, {.velocity = {-1.5, 0.75}}}};
constexpr Tick kBossAt = 150;

sweepd::MatchConfig stage_config() {
  sweepd::MatchConfig config{.layers = {"ship", "shot", "enemy", "bullet"}};
  config.name = "waves";
  config.collides = {{"shot", "enemy"}, {"ship", "bullet"}};
  config.playfield = sweepd::Box{-400, -400, 400, 400};
  config.tick_rate_hz = kTickRateHz;
  config.heartbeat_ticks = 1;
  config.object_tags = true;
  sweepd::ObjectTemplate ship{.name = "ship", .shapes = {{{{{-8, -8, 8, 8}, kShip}}}}};
  ship.speed_max = kShipSpeed + 1.0 / 128;  // Positions are rounded.
  ship.speed_budget_ticks = kTickRateHz;
  ship.spawn.alive_max = 1;
  sweepd::ObjectTemplate shot{.name = "shot", .damage = 1, .single_use = true, .continuous = true};
  shot.shapes = {{{{{-2, -2, 2, 2}, kShot}}}};
  shot.speed_max = kShotSpeed;
  shot.time_to_live_max_ticks = kTickRateHz;
  shot.spawn = {.near = "ship", .distance_max = 3 * kShipSpeed, .interval_ticks = 5, .burst = 4};
  config.templates = {ship, shot};  // The stage is the studio's own: it may spawn anything.
  return config;
}

class Stage {
 public:
  explicit Stage(sweepd::Session session) : session_(std::move(session)) {}

  const sweepd::Session& session() const { return session_; }
  bool is_won() const { return is_won_; }
  int broken() const { return broken_; }
  int aimed() const { return aimed_; }
  void step();

 private:
  void spawn(const Wave& wave);
  void spawn_boss();
  ObjectId spawn_part(Vec2 position, double size, std::uint32_t hit_points, Tag tag);
  void fire(Tick applies);
  const sweepd::WorldObject* find_nearest_ship(Vec2 from) const;
  void take(const sweepd::Destruction& gone);

  sweepd::Session session_;
  sweepd::WorldView view_{session_};
  std::size_t next_wave_ = 0;
  Tick next_volley_ = 0;
  ObjectId core_ = 0;
  std::set<ObjectId> turrets_;
  int broken_ = 0;
  int aimed_ = 0;
  bool is_won_ = false;
};

void Stage::step() {
  view_.update();
  while (session_.poll_event()) continue;
  while (auto gone = session_.poll_destruction()) take(*gone);
  const Tick now = view_.tick();
  for (; next_wave_ < kWaves.size() && kWaves[next_wave_].at <= now; ++next_wave_) spawn(kWaves[next_wave_]);
  if (core_ == 0 && now >= kBossAt) spawn_boss();
  if (now >= next_volley_) fire(now + view_.recommended_lead());
  (void)session_.end_frame();
}

/// Every enemy shoots at the nearest ship, from where it will be in the tick in which that applies.
void Stage::fire(Tick applies) {
  next_volley_ = applies + kVolleyTicks;
  for (const sweepd::WorldObject* enemy : view_.objects()) {
    if (enemy->tag != kFighterTag && enemy->tag != kTurretTag) continue;
    const Vec2 from = *view_.position_at(enemy->id, applies);
    const sweepd::WorldObject* ship = find_nearest_ship(from);
    if (ship == nullptr) continue;
    const Vec2 to = *view_.position_at(ship->id, view_.tick());
    const double speed = kBulletSpeed / std::max(std::hypot(to.x - from.x, to.y - from.y), 1.0);
    sweepd::ObjectSpec bullet{.position = from, .parts = {{sweepd::centered_box(6, 6), kBullet}}};
    bullet.motion = sweepd::Motion{.velocity = {(to.x - from.x) * speed, (to.y - from.y) * speed}};
    bullet.despawn_outside_playfield = bullet.single_use = true;
    bullet.tag = kBulletTag;
    aimed_ += session_.spawn(bullet) ? 1 : 0;
  }
}

/// Nothing meets the core of the boss while a turret is left.
void Stage::take(const sweepd::Destruction& gone) {
  if (turrets_.erase(gone.object) != 0) ++broken_;
  if (broken_ > 0 && turrets_.empty()) (void)session_.enable(core_);
  if (gone.object == core_) is_won_ = true;
}

void Stage::spawn(const Wave& wave) {
  for (int i = 0; i < wave.count; ++i) {
    sweepd::ObjectSpec fighter{.position = {wave.from.x + 30.0 * i, wave.from.y}, .motion = wave.motion};
    fighter.parts = {{sweepd::centered_box(20, 20), kEnemy}};
    fighter.time_to_live_ticks = 8 * kTickRateHz;
    fighter.hit_points = 1;
    fighter.tag = kFighterTag;
    (void)session_.spawn(fighter);
  }
}

void Stage::spawn_boss() {
  core_ = spawn_part({0, -250}, 60, 5, kCoreTag);
  (void)session_.disable(core_);
  for (const double x : {-70.0, 70.0}) turrets_.insert(spawn_part({x, -240}, 30, 3, kTurretTag));
}

/// All that is the boss has the same motion, and so stays together.
ObjectId Stage::spawn_part(Vec2 position, double size, std::uint32_t hit_points, Tag tag) {
  sweepd::ObjectSpec part{.position = position, .parts = {{sweepd::centered_box(size, size), kEnemy}}};
  part.motion = sweepd::Motion{.velocity = {0.25, 0}};
  part.hit_points = hit_points;
  part.tag = tag;
  return *session_.spawn(part);
}

const sweepd::WorldObject* Stage::find_nearest_ship(Vec2 from) const {
  const sweepd::WorldObject* nearest = nullptr;
  double distance = 1e9;
  for (const sweepd::WorldObject* object : view_.objects()) {
    if (object->tag != kShipTag) continue;
    const Vec2 at = *view_.position_at(object->id, view_.tick());
    if (std::hypot(at.x - from.x, at.y - from.y) >= distance) continue;
    distance = std::hypot(at.x - from.x, at.y - from.y);
    nearest = object;
  }
  return nearest;
}

/// Flies below what is to be shot next, and shoots.
class Player {
 public:
  explicit Player(sweepd::Session session) : session_(std::move(session)) {}

  const sweepd::Session& session() const { return session_; }
  int bullets_drawn() const { return bullets_drawn_; }

  void step() {
    view_.update();
    while (session_.poll_event()) continue;
    while (session_.poll_destruction()) continue;
    if (ship_id_ == 0) {
      ship_id_ = *session_.spawn({.position = ship_, .template_number = 1, .tag = kShipTag});
    } else if (const auto x = find_target()) {
      ship_.x += std::clamp(*x - ship_.x, -kShipSpeed, kShipSpeed);
      (void)session_.move(ship_id_, ship_);
      if (++steps_ % 6 == 0)
        (void)session_.spawn("shot", ship_, sweepd::Motion{.velocity = {0, -kShotSpeed}});
    }
    for (const sweepd::WorldObject* object : view_.objects())
      bullets_drawn_ += object->tag == kBulletTag && view_.drawn_position(object->id) ? 1 : 0;
    (void)session_.end_frame();
  }

 private:
  std::optional<double> find_target() const {
    std::optional<double> nearest;
    for (const sweepd::WorldObject* object : view_.objects()) {
      const bool is_target = object->tag >= kFighterTag && object->tag <= kCoreTag && !object->is_disabled;
      if (!is_target) continue;
      const double x = view_.position_at(object->id, view_.tick() + 15)->x;
      if (!nearest || std::abs(x - ship_.x) < std::abs(*nearest - ship_.x)) nearest = x;
    }
    return nearest;
  }

  sweepd::Session session_;
  sweepd::WorldView view_{session_};
  ObjectId ship_id_ = 0;
  Vec2 ship_ = {0, 200};
  int steps_ = 0;
  int bullets_drawn_ = 0;
};

bool is_joined(const sweepd::Session& session) {
  while (session.state() == sweepd::SessionState::kConnecting)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (session.error().ok()) return true;
  return std::puts(session.error().message().c_str()), false;
}

}  // namespace

int main(int argc, char** argv) {
  sweepd::Client client({.server = argc > 1 ? argv[1] : "127.0.0.1:7777"});
  const auto match = client.create_match(stage_config());
  if (!match) return std::puts(match.status().message().c_str()), 1;
  const std::string id = match->match_id;
  const sweepd::WorldInterest all;
  Stage stage(client.join({.match_id = id, .name = "stage", .role = sweepd::Role::kStage, .world = all}));
  Player player(client.join({.match_id = id, .name = "ann", .world = all}));
  if (!is_joined(stage.session()) || !is_joined(player.session())) return 1;

  auto next = std::chrono::steady_clock::now();
  for (int step = 0; step < 30 * kTickRateHz && !stage.is_won(); ++step) {
    stage.step();
    player.step();
    std::this_thread::sleep_until(next += std::chrono::microseconds(1'000'000 / kTickRateHz));
  }
  (void)client.end_match(id);
  std::printf("%d aimed bullets, drawn %d times; %d parts broken; the boss is %s\n", stage.aimed(),
              player.bullets_drawn(), stage.broken(), stage.is_won() ? "gone" : "there still");
  return stage.is_won() && player.bullets_drawn() > 0 ? 0 : 1;
}
