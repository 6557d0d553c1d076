// SPDX-License-Identifier: MIT
//
// Protects what templates promise against a client that sends anything: whatever random frames ask for, no
// object is ever what its template forbids, is somewhere that it cannot have got to, or comes sooner or more
// often than it may. What is allowed is told again here, from the config alone and from what is seen of the
// world after each tick.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "match/match.h"
#include "match/speed_budget.h"
#include "property/random.h"

namespace sweepd::property::property_templates {
namespace {

using collision::ObjectId;
using collision::ObjectSpec;
using collision::ObjectView;
using collision::Part;
using collision::Point;
using collision::Tick;
using match::Frame;
using match::ObjectTemplate;
using match::Role;

constexpr int kMatches = 250;
constexpr Tick kTicks = 400;
constexpr ObjectId kIds = 24;

Part box(collision::Subunits size, collision::LayerId layer) {
  return {.box = {-size, -size, size, size}, .layer = layer};
}

/// Each has another damage: by that the world's objects show which template they are of.
match::MatchConfig random_config(Random& random) {
  const auto number = [&](std::int64_t low, std::int64_t high) {
    return static_cast<std::uint32_t>(random.between(low, high));
  };
  match::MatchConfig config;
  config.layers = {"player", "enemy", "shot"};
  config.collides = {{"player", "enemy"}, {"shot", "enemy"}};
  config.ids_per_participant = kIds;
  config.playfield = {-2000, -2000, 2000, 2000};
  config.max_late_ticks = 20;
  config.templates = {{.name = "ship",
                       .shapes = {{{box(10, 0)}}, {{box(10, 2)}}, {{box(5, 0), box(12, 2)}}},
                       .hit_points = number(1, 4),
                       .damage = 1,
                       .speed_max = number(0, 60),
                       .speed_budget_ticks = number(1, 5),
                       .disable_max_ticks = number(0, 6),
                       .disable_interval_ticks = number(6, 20),
                       .spawn = {.region = collision::Box{-500, -500, 500, 500},
                                 .alive_max = number(1, 2),
                                 .respawn_delay_ticks = number(0, 12)}},
                      {.name = "shot",
                       .shapes = {{{box(2, 2)}}},
                       .damage = 2,
                       .single_use = random.chance(50),
                       .continuous = random.chance(50),
                       .despawn_outside_playfield = true,
                       .time_to_live_max_ticks = number(1, 30),
                       .speed_max = number(1, 90),
                       .speed_budget_ticks = 1,
                       .acceleration_max = number(0, 3),
                       .spawn = {.near = "ship",
                                 .distance_max = number(0, 40),
                                 .interval_ticks = number(0, 6),
                                 .burst = number(1, 3)}}};
  match::ObjectTemplate& ship = config.templates[0];
  match::ObjectTemplate& shot = config.templates[1];
  if (random.chance(50)) ship.disable_within_ticks = number(1, 20);
  if (random.chance(50)) ship.spawn.total_max = number(1, 20);
  shot.is_ballistic = random.chance(50);
  if (random.chance(50)) shot.spawn.velocity = collision::Box{-60, -80, 60, 0};
  config.layer_limits = {{.layer = "player", .speed_max = number(10, 100)}};
  return config;
}

Point any_point(Random& random, std::int32_t reach) {
  return {static_cast<std::int32_t>(random.between(-reach, reach)),
          static_cast<std::int32_t>(random.between(-reach, reach))};
}

collision::Motion any_motion(Random& random) {
  if (random.chance(60)) return {};
  return {any_point(random, 80), random.chance(70) ? Point{} : any_point(random, 3)};
}

std::vector<Part> any_parts(Random& random, const match::MatchConfig& config) {
  if (random.chance(40)) return {box(static_cast<int>(random.between(0, 300)), random.chance(50) ? 0 : 2)};
  return config.templates[0].shapes[random.index(3)].parts;
}

/// What somebody sends who tries everything, around what is there.
class Sender {
 public:
  Sender(Random& random, const match::Match& match, ObjectId first_id)
      : random_(random), match_(match), first_id_(first_id) {}

  Frame frame() {
    Frame frame;
    if (random_.chance(15)) frame.tick = match_.tick() - std::min<Tick>(match_.tick(), random_.index(8));
    for (auto i = random_.index(3); i > 0; --i) frame.spawns.push_back(spawn());
    if (random_.chance(20)) frame.reshapes.push_back({id(), any_parts(random_, match_.config())});
    if (random_.chance(20)) frame.layer_changes.push_back({id(), {}, random_.chance(50) ? 0u : 2u});
    for (auto i = random_.index(4); i > 0; --i) frame.moves.push_back(move());
    frame.relative_moves = frame.moves.size();
    if (random_.chance(10)) frame.teleports.push_back(move());
    if (random_.chance(20)) frame.motions.push_back({id(), any_motion(random_)});
    if (random_.chance(5)) frame.freezes.emplace_back();
    if (random_.chance(5)) frame.releases.emplace_back();
    if (random_.chance(20)) frame.disables.push_back({id(), until()});
    if (random_.chance(5)) frame.enables.push_back(id());
    if (random_.chance(12)) frame.despawns.push_back(id());
    if (random_.chance(2)) frame.mass_despawns.emplace_back();
    return frame;
  }

 private:
  ObjectId id() { return first_id_ + static_cast<ObjectId>(random_.index(kIds)); }
  Tick until() { return random_.chance(20) ? 0 : match_.tick() + 1 + random_.index(10); }
  Point near(ObjectId object) {
    const auto view = match_.find_object(object);
    if (!view) return any_point(random_, 700);
    const Point step = any_point(random_, random_.chance(80) ? 60 : 600);
    return {view->position.x + step.x, view->position.y + step.y};
  }
  match::Move move() {
    const ObjectId object = id();
    return {object, near(object)};
  }
  ObjectSpec spawn() {
    ObjectSpec spec;
    spec.id = id();
    spec.position = near(id());
    spec.motion = any_motion(random_);
    spec.time_to_live_ticks = static_cast<std::uint32_t>(random_.index(40));
    spec.kind = static_cast<std::uint32_t>(random_.index(4));
    if (random_.chance(15)) spec.parts = any_parts(random_, match_.config());
    if (random_.chance(5)) spec.hit_points = 2'000'000'000;
    if (random_.chance(5)) spec.damage = 2'000'000'000;
    return spec;
  }

  Random& random_;
  const match::Match& match_;
  ObjectId first_id_;
};

/// What has been seen of one object.
struct Life {
  Tick first_tick = 0;
  Point position;
  std::uint64_t way = 0;
  Tick disabled_since = 0;  ///< 0: it is not.
  collision::Motion motion = {};
};

class Oracle {
 public:
  explicit Oracle(const match::MatchConfig& config) : config_(config) {}

  /// After each tick, of one participant.
  void look(const match::Match& match, ObjectId first_id) {
    tick_ = match.tick();
    std::map<ObjectId, Life> now;
    std::map<std::uint32_t, std::uint32_t> alive;
    for (ObjectId id = first_id; id < first_id + kIds; ++id) {
      const auto object = match.find_object(id);
      if (!object) continue;
      const ObjectTemplate* kind = kind_of(*object);
      ASSERT_NE(kind, nullptr) << "an object of no template";
      ++alive[object->damage];
      now[id] = see(*object, *kind);
    }
    for (const ObjectTemplate& kind : config_.templates) {
      if (kind.spawn.alive_max) {
        EXPECT_LE(alive[kind.damage], *kind.spawn.alive_max) << kind.name;
      }
    }
    note_gone(now);
    lives_ = std::move(now);
  }

 private:
  const ObjectTemplate* kind_of(const ObjectView& object) const {
    const auto found = std::ranges::find(config_.templates, object.damage, &ObjectTemplate::damage);
    return found == config_.templates.end() ? nullptr : &*found;
  }

  Life see(const ObjectView& object, const ObjectTemplate& kind) {
    const auto has_shape = [&](const match::TemplateShape& shape) {
      return std::ranges::equal(shape.parts, object.parts);
    };
    EXPECT_TRUE(std::ranges::any_of(kind.shapes, has_shape)) << kind.name;
    EXPECT_LE(object.hit_points, kind.hit_points);
    EXPECT_EQ(object.is_single_use, kind.single_use);
    EXPECT_EQ(object.is_continuous, kind.continuous);
    EXPECT_FALSE(object.is_frozen);
    if (kind.time_to_live_max_ticks > 0) {
      EXPECT_LE(object.expires_at, tick_ + kind.time_to_live_max_ticks);
    }
    if (kind.acceleration_max) {
      const Point by = object.motion.acceleration;
      EXPECT_LE(match::length_of(by.x, by.y), *kind.acceleration_max);
    }
    kinds_[object.id] = kind.damage;
    const auto former = lives_.find(object.id);
    Life life = former == lives_.end() ? begin(object, kind) : former->second;
    if (former != lives_.end() && kind.is_ballistic) see_flight(object, life);
    life.motion = object.motion;
    see_way(object, kind, life);
    see_disabled(object, kind, life);
    return life;
  }

  /// On as it was.
  static void see_flight(const ObjectView& object, const Life& before) {
    const auto& [velocity, acceleration] = before.motion;
    const Point now{velocity.x + acceleration.x, velocity.y + acceleration.y};
    EXPECT_EQ(object.motion, (collision::Motion{now, acceleration}));
    EXPECT_EQ(object.position, (Point{before.position.x + now.x, before.position.y + now.y}));
  }

  /// Its first tick has moved it already, by as much as one tick may.
  Life begin(const ObjectView& object, const ObjectTemplate& kind) {
    const match::SpawnRules& rules = kind.spawn;
    const auto reach = static_cast<std::int64_t>(*kind.speed_max);
    if (rules.region) {
      EXPECT_GE(object.position.x, rules.region->min_x - reach);
      EXPECT_LE(object.position.x, rules.region->max_x + reach);
      EXPECT_GE(object.position.y, rules.region->min_y - reach);
      EXPECT_LE(object.position.y, rules.region->max_y + reach);
    }
    if (rules.near == "ship") {
      EXPECT_TRUE(is_near_a_ship(object.position, rules.distance_max + *kind.speed_max));
    }
    if (rules.velocity) {
      const auto& [velocity, acceleration] = object.motion;
      EXPECT_GE(velocity.x - acceleration.x, rules.velocity->min_x);
      EXPECT_LE(velocity.x - acceleration.x, rules.velocity->max_x);
      EXPECT_GE(velocity.y - acceleration.y, rules.velocity->min_y);
      EXPECT_LE(velocity.y - acceleration.y, rules.velocity->max_y);
    }
    Times& times = times_[kind.damage];
    if (times.last_gone != 0 && rules.respawn_delay_ticks > 0) {
      EXPECT_GE(tick_, times.last_gone + rules.respawn_delay_ticks) << kind.name;
    }
    times.spawned.push_back(tick_);
    if (rules.interval_ticks > 0) expect_paced(times.spawned, rules);
    if (rules.total_max > 0) {
      EXPECT_LE(times.spawned.size(), rules.total_max) << kind.name;
    }
    return {.first_tick = tick_, .position = object.position};
  }

  /// In no stretch of time more than a burst and what the intervals in it give.
  void expect_paced(const std::vector<Tick>& spawned, const match::SpawnRules& rules) {
    for (std::size_t first = 0; first < spawned.size(); ++first) {
      const std::uint64_t count = spawned.size() - first;
      EXPECT_LE(count, rules.burst + (tick_ - spawned[first]) / rules.interval_ticks);
    }
  }

  /// A ship may have come or gone in the same tick, so those of both ends of the tick count.
  bool is_near_a_ship(Point position, std::uint64_t distance_max) const {
    const auto is_near = [&](Point ship) {
      return match::length_of(std::int64_t{ship.x} - position.x, std::int64_t{ship.y} - position.y) <=
             distance_max;
    };
    for (const auto& [id, life] : lives_) {
      if (kinds_.at(id) == 1 && is_near(life.position)) return true;
    }
    return std::ranges::any_of(new_ships_, is_near);
  }

  void see_way(const ObjectView& object, const ObjectTemplate& kind, Life& life) {
    const std::uint64_t step = match::length_of(std::int64_t{object.position.x} - life.position.x,
                                                std::int64_t{object.position.y} - life.position.y);
    life.way += step;
    life.position = object.position;
    EXPECT_LE(step, std::uint64_t{*kind.speed_max} * kind.speed_budget_ticks) << kind.name;
    EXPECT_LE(life.way, *kind.speed_max * (tick_ - life.first_tick + 1)) << kind.name;
  }

  void see_disabled(const ObjectView& object, const ObjectTemplate& kind, Life& life) {
    if (object.disabled_until <= tick_) {
      life.disabled_since = 0;
      return;
    }
    if (life.disabled_since == 0) {
      Tick& last = times_[kind.damage].last_disabled;
      if (last != 0) {
        EXPECT_GE(tick_, last + kind.disable_interval_ticks);
      }
      life.disabled_since = last = tick_;
    }
    EXPECT_LT(tick_ - life.disabled_since, kind.disable_max_ticks) << kind.name;
    if (kind.disable_within_ticks > 0) {
      EXPECT_LT(tick_ - life.first_tick, kind.disable_within_ticks) << kind.name;
    }
  }

  void note_gone(const std::map<ObjectId, Life>& now) {
    for (const auto& [id, life] : lives_) {
      if (!now.contains(id)) times_[kinds_.at(id)].last_gone = tick_;
    }
  }

 public:
  /// Where ships are asked for in the tick that comes: a shot may be spawned near to one of them.
  void note_asked(const Frame& frame) {
    for (const ObjectSpec& spec : frame.spawns) {
      if (spec.kind == 1) new_ships_.push_back(spec.position);
    }
  }

 private:
  struct Times {
    Tick last_gone = 0;
    Tick last_disabled = 0;  ///< The beginning; 0: none was.
    std::vector<Tick> spawned;
  };

  const match::MatchConfig& config_;
  Tick tick_ = 0;
  std::map<ObjectId, Life> lives_;
  std::map<ObjectId, std::uint32_t> kinds_;
  std::map<std::uint32_t, Times> times_;
  std::vector<Point> new_ships_;
};

/// Whether any object of the participant came and went unseen within one tick is not seen: its rules are
/// those of the ticks around it.
void play(std::uint64_t seed, std::size_t& spawned) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const match::MatchConfig config = random_config(random);
  auto match = std::move(match::Match::create(config).value());
  const auto player = match->apply(match::Join{"ann", Role::kPlayer}).value();
  Oracle oracle(config);
  for (Tick tick = 1; tick <= kTicks && !::testing::Test::HasFailure(); ++tick) {
    Sender sender(random, *match, player.first_id);
    for (auto frames = random.index(3); frames > 0; --frames) {
      const Frame frame = sender.frame();
      oracle.note_asked(frame);
      match->apply(match::Submission{player.number, frame});
    }
    match->step();
    if (random.chance(10)) match = std::move(match::Match::restore(config, match->save()).value());
    oracle.look(*match, player.first_id);
    spawned += match->object_count();
  }
}

TEST(PropertyTemplates, NoFramesMakeAnObjectWhatItsTemplateForbids) {
  std::size_t spawned = 0;
  for (int seed = 1; seed <= kMatches && !::testing::Test::HasFailure(); ++seed) play(seed, spawned);
  EXPECT_GT(spawned, 10'000u) << "there was something to look at";
}

}  // namespace
}  // namespace sweepd::property::property_templates
