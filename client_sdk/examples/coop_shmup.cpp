// SPDX-License-Identifier: MIT
// A co-op game loop that predicts, with two players and a stage: coop_shmup [SERVER [SECONDS]].
//
// All is drawn from the world feed. What a player does is drawn at once, some ticks ahead of the server;
// enemies are drawn where their last known course takes them by then, the partner's ship where it has been
// seen, smoothly. What hits in that view is shown at once, and claimed. The server judges each claim against
// where everything was in that tick; what it does not confirm, because an enemy had swerved, is taken back.
#include <sweepd/client.h>
#include <sweepd/world_view.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

namespace {

using sweepd::ObjectId;
using sweepd::Tick;
using sweepd::Vec2;

enum Layer : std::uint32_t { kShip, kShot, kEnemy };

constexpr int kTickRateHz = 60;
constexpr Tick kLeadTicks = 8;  // At least; more where the way to the server takes longer.
constexpr double kShipSpeed = 5;
constexpr double kShotSpeed = 16;
constexpr Tick kShotTicks = 6;  // From one to the next.
constexpr double kShotHalf = 2;
constexpr double kEnemyHalf = 12;
constexpr double kTolerance = 1;
constexpr int kEnemies = 6;
constexpr std::uint32_t kShipTemplate = 1;  // By their places in kinds().
constexpr std::uint32_t kEnemyTemplate = 3;

/// What may exist, so that a cheat has no ship that is faster, no shot that is larger, and none from
/// elsewhere.
std::vector<sweepd::ObjectTemplate> kinds() {
  sweepd::ObjectTemplate ship{.name = "ship", .shapes = {{{{{-8, -8, 8, 8}, kShip}}}}};
  ship.speed_max = kShipSpeed + 1.0 / 128;  // Positions are rounded.
  ship.speed_budget_ticks = kTickRateHz;    // A stall of a second is made up for.
  ship.spawn.alive_max = 1;
  sweepd::ObjectTemplate shot{.name = "shot", .damage = 1, .single_use = true, .continuous = true};
  shot.shapes = {{{{sweepd::centered_box(2 * kShotHalf, 2 * kShotHalf), kShot}}}};
  shot.speed_max = kShotSpeed;
  shot.acceleration_max = 0;
  shot.time_to_live_max_ticks = kTickRateHz;
  // From where the ship was when the tick began; late frames apply by twos.
  shot.spawn = {.near = "ship", .distance_max = 3 * kShipSpeed, .interval_ticks = kShotTicks, .burst = 4};
  sweepd::ObjectTemplate enemy{.name = "enemy", .roles = {{sweepd::Role::kStage}}, .hit_points = 3};
  enemy.shapes = {{{{sweepd::centered_box(2 * kEnemyHalf, 2 * kEnemyHalf), kEnemy}}}};
  return {ship, shot, enemy};
}

sweepd::MatchConfig coop_config() {
  sweepd::MatchConfig config{.layers = {"ship", "shot", "enemy"}};
  config.name = "co-op";
  config.collides = {
      {.layer_a = "shot", .layer_b = "enemy", .by_claims = true, .claim_tolerance_max = kTolerance}};
  config.tick_rate_hz = kTickRateHz;
  config.heartbeat_ticks = 1;  // Session::tick() follows the match also while nothing happens.
  config.object_tags = true;
  config.claims.policy = sweepd::ClaimPolicy::kEnforce;
  config.claims.window_rise_ticks = kTickRateHz / 2;  // Lag that is switched on and off gains nothing.
  sweepd::ScoringRule kill{.layer_a = "enemy", .layer_b = "shot", .when = sweepd::ScoringMoment::kDestroyed};
  kill.points = 500;
  kill.credit = sweepd::ScoringCredit::kOwnerOfB;
  config.scoring = {kill};
  config.templates = kinds();
  return config;
}

// Tags tell what an object is to be drawn as.
constexpr std::uint64_t kShipTag = 1;
constexpr std::uint64_t kEnemyTag = 2;

/// The enemies, which fly to and fro, swerve at random, and come again when they are destroyed.
class Stage {
 public:
  explicit Stage(sweepd::Session session) : session_(std::move(session)) {}

  const sweepd::Session& session() const { return session_; }

  void begin() {
    for (int i = 0; i < kEnemies; ++i) spawn();
    (void)session_.end_frame();
  }

  void step() {
    view_.update();
    while (session_.poll_event()) continue;
    while (session_.poll_destruction()) spawn();
    if (++steps_ % 15 == 0) swerve();
    (void)session_.end_frame();
  }

 private:
  void spawn() {
    (void)session_.spawn({.position = {between(-200, 200), between(-300, -200)},
                          .motion = sweepd::Motion{.velocity = {between(-2, 2), 0}},
                          .template_number = kEnemyTemplate,
                          .tag = kEnemyTag});
  }

  void swerve() {
    for (const sweepd::WorldObject* object : view_.objects()) {
      if (object->tag != kEnemyTag) continue;
      const double speed = between(0, 3);
      const double x = view_.position_at(object->id, view_.tick())->x;
      const bool goes_left = x > 150 || (x > -150 && between(0, 1) < 0.5);
      (void)session_.set_motion(object->id, {.velocity = {goes_left ? -speed : speed, 0}});
    }
  }

  double between(double least, double most) {
    return std::round(std::uniform_real_distribution(least, most)(random_) * 256) / 256;
  }

  sweepd::Session session_;
  sweepd::WorldView view_{session_};
  int steps_ = 0;
  std::mt19937 random_{7};
};

class Player {
 public:
  Player(sweepd::Session session, double x) : session_(std::move(session)), ship_{x, 0} {}

  const sweepd::Session& session() const { return session_; }
  int confirmed() const { return count(sweepd::Verdict::kConfirmed); }
  int partners_drawn() const { return partners_drawn_; }
  void begin() {
    ship_id_ = *session_.spawn({.position = ship_, .template_number = kShipTemplate, .tag = kShipTag});
  }
  void step();
  void draw();
  void report() const;

 private:
  struct Shot {
    ObjectId id = 0;
    Vec2 from;
    Tick fired = 0;
    Vec2 position_at(Tick tick) const { return {from.x, from.y - kShotSpeed * double(tick - fired + 1)}; }
  };

  void claim_hits();
  void steer();
  void fire();
  void take_verdicts();
  bool hits(const Shot& shot, Vec2 enemy) const;
  std::vector<Shot>::iterator find_hit(Vec2 enemy);
  int count(sweepd::Verdict verdict) const { return verdicts_.contains(verdict) ? verdicts_.at(verdict) : 0; }

  sweepd::Session session_;
  sweepd::WorldView view_{session_};
  Tick drawn_ = 0;  ///< The tick that is on the player's screen.
  int partners_drawn_ = 0;
  Vec2 ship_;
  ObjectId ship_id_ = 0;
  Tick next_shot_ = 0;
  std::vector<Shot> shots_;              ///< On the screen.
  std::map<std::uint32_t, Shot> shown_;  ///< That have hit on the screen, by the claim under way.
  int hits_shown_ = 0;
  std::map<sweepd::Verdict, int> verdicts_;
};

void Player::step() {
  view_.update();  // Takes what has come of the world; blocks for nothing.
  take_verdicts();
  const Tick lead = std::max(kLeadTicks, view_.recommended_lead());
  if (drawn_ > session_.tick() + 2 * lead) return;  // This computer's clock is ahead: let the match catch up.
  claim_hits();
  drawn_ = std::max(drawn_ + 1, session_.tick() + lead);
  steer();
  fire();
  (void)session_.end_frame(drawn_);  // Waits at the server for its tick: what is drawn is what will be.
}

void Player::claim_hits() {
  for (const sweepd::WorldObject* object : view_.objects()) {
    if (object->tag != kEnemyTag) continue;
    const Vec2 enemy = *view_.position_at(object->id, drawn_);  // Where its course takes it by then.
    const auto hit = find_hit(enemy);
    if (hit == shots_.end()) continue;
    const auto number = session_.claim_hit(hit->id, object->id, drawn_, kTolerance);
    if (number) shown_[*number] = *hit;  // Here the game plays the sound and lets the enemy flash.
    ++hits_shown_;
    shots_.erase(hit);
  }
}

void Player::take_verdicts() {
  while (auto verdict = session_.poll_verdict()) {
    ++verdicts_[verdict->verdict];
    const auto claim = shown_.extract(verdict->number);
    if (verdict->has_struck || claim.empty()) continue;
    std::printf("tick %d: taken back: enemy %u, %s by %.1f units\n", int(verdict->tick_judged),
                verdict->target, to_string(verdict->verdict),
                verdict->evidence ? verdict->evidence->margin : 0);
    if (verdict->verdict != sweepd::Verdict::kConfirmed) shots_.push_back(claim.mapped());  // It flies on.
  }
}

/// The own ship where it will be, the enemies by then, and the partner's where it was seen.
void Player::draw() {
  for (const sweepd::WorldObject* object : view_.objects()) {
    const bool is_partner = object->tag == kShipTag && object->id != ship_id_;
    if (is_partner && view_.drawn_position(object->id)) ++partners_drawn_;
  }
}

bool Player::hits(const Shot& shot, Vec2 enemy) const {
  if (shot.fired > drawn_) return false;
  const Vec2 at = shot.position_at(drawn_);
  const double reach = kShotHalf + kEnemyHalf;
  return std::abs(at.x - enemy.x) <= reach && at.y - reach <= enemy.y && enemy.y <= at.y + kShotSpeed + reach;
}

std::vector<Player::Shot>::iterator Player::find_hit(Vec2 enemy) {
  return std::ranges::find_if(shots_, [&](const Shot& shot) { return hits(shot, enemy); });
}

/// Below the nearest enemy, where it will be when a shot gets there.
void Player::steer() {
  double nearest = 1e9;
  for (const sweepd::WorldObject* object : view_.objects()) {
    if (object->tag != kEnemyTag) continue;
    const double flight_ticks = (ship_.y - view_.position_at(object->id, drawn_)->y) / kShotSpeed;
    const double x = view_.position_at(object->id, drawn_ + Tick(flight_ticks))->x;
    if (std::abs(x - ship_.x) < std::abs(nearest)) nearest = x - ship_.x;
  }
  if (nearest < 1e9) ship_.x += std::clamp(nearest, -kShipSpeed, kShipSpeed);
  (void)session_.move(ship_id_, ship_);
}

void Player::fire() {
  std::erase_if(shots_, [this](const Shot& shot) { return shot.position_at(drawn_).y < -400; });
  if (drawn_ < next_shot_) return;
  next_shot_ = drawn_ + kShotTicks;
  const auto id = session_.spawn("shot", ship_, sweepd::Motion{.velocity = {0, -kShotSpeed}});
  if (id) shots_.push_back({.id = *id, .from = ship_, .fired = drawn_});
}

void Player::report() const {
  std::printf(
      "%s: %d hits shown at once: %d confirmed, %d taken back, %d of enemies that were gone already\n",
      session_.participant()->name.c_str(), hits_shown_, confirmed(), count(sweepd::Verdict::kNotOverlapping),
      count(sweepd::Verdict::kUnknownObject));
}

bool wait_for(std::initializer_list<const sweepd::Session*> sessions) {
  for (const sweepd::Session* session : sessions) {
    while (session->state() == sweepd::SessionState::kConnecting)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (!session->error().ok()) return std::puts(session->error().message().c_str()), false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  sweepd::Client client({.server = argc > 1 ? argv[1] : "127.0.0.1:7777"});
  const auto match = client.create_match(coop_config());
  if (!match) return std::puts(match.status().message().c_str()), 1;
  const std::string id = match->match_id;
  const sweepd::WorldInterest all;
  Stage stage(client.join({.match_id = id, .name = "stage", .role = sweepd::Role::kStage, .world = all}));
  Player ann(client.join({.match_id = id, .name = "ann", .world = all}), -100);
  Player ben(client.join({.match_id = id, .name = "ben", .world = all}), 100);
  if (!wait_for({&stage.session(), &ann.session(), &ben.session()})) return 1;

  stage.begin();
  ann.begin();
  ben.begin();
  const int steps = kTickRateHz * (argc > 2 ? std::atoi(argv[2]) : 10);
  auto next = std::chrono::steady_clock::now();
  for (int step = 0; step < steps; ++step) {
    stage.step();
    ann.step();
    ben.step();
    ann.draw();
    ben.draw();
    std::this_thread::sleep_until(next += std::chrono::microseconds(1'000'000 / kTickRateHz));
  }
  const auto ended = client.end_match(id);
  if (!ended) return std::puts(ended.status().message().c_str()), 1;
  ann.report();
  ben.report();
  for (const sweepd::Score& score : ended->scores)
    std::printf("%s: %d points\n", score.name.c_str(), int(score.score));
  const bool have_seen_each_other = ann.partners_drawn() > 0 && ben.partners_drawn() > 0;
  return have_seen_each_other && ann.confirmed() > 0 && ben.confirmed() > 0 ? 0 : 1;
}
