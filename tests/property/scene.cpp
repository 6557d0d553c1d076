// SPDX-License-Identifier: MIT
#include "property/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "collision/shapes/shape_check.h"
#include "property/reference_queries.h"

namespace sweepd::property {

using namespace collision;  // NOLINT: this file speaks of nothing else.

namespace {

/// Some with one pixel size and some with another.
BitMask random_mask(std::uint32_t side, Subunits pixel_size, Random& random) {
  std::vector<std::uint64_t> rows(side);
  for (std::uint64_t& row : rows)
    row = static_cast<std::uint64_t>(random.between(1, (std::int64_t{1} << side) - 1));
  return BitMask(side, side, pixel_size, rows);
}

std::vector<ContactRule> random_rules(const SceneOptions& options, Random& random) {
  std::vector<ContactRule> rules;
  if (options.sensor_chance + options.interval_chance == 0) return rules;
  for (std::uint32_t a = 0; a < options.layers; ++a) {
    for (std::uint32_t b = a; b < options.layers; ++b) {
      const bool is_sensor = random.chance(options.sensor_chance);
      const bool repeats = random.chance(options.interval_chance);
      const auto interval = static_cast<std::uint32_t>(repeats ? random.between(1, 3) : 0);
      if (is_sensor || repeats) rules.push_back({saturate_layer(b), saturate_layer(a), is_sensor, interval});
    }
  }
  return rules;
}

WorldConfig random_config(const SceneOptions& options, Random& random) {
  WorldConfig config;
  config.layer_count = options.layers;
  for (std::uint32_t a = 0; a < options.layers; ++a) {
    for (std::uint32_t b = a; b < options.layers; ++b) {
      if (random.chance(options.matrix_chance)) config.matrix.allow(saturate_layer(a), saturate_layer(b));
    }
  }
  config.matrix.allow(0, saturate_layer(options.layers - 1));
  config.playfield = options.area;
  config.contact_rules = random_rules(options, random);
  config.sweep_rules.meets_still_leavers = random.chance(70);
  config.sweep_rules.enabling_passes_over_teleports = random.chance(70);
  for (const std::uint32_t side : {2u, 5u, 9u}) {
    for (const Subunits pixel_size : {3, 3, 4}) config.masks.push_back(random_mask(side, pixel_size, random));
  }
  return config;
}

Subunits clamp(std::int64_t value) {
  return static_cast<Subunits>(std::clamp<std::int64_t>(value, kSubunitsMin, kSubunitsMax));
}

}  // namespace

Scene::Scene(const SceneOptions& options, std::uint64_t seed)
    : options_(options),
      random_(seed),
      config_(random_config(options, random_)),
      reference_(config_),
      question_random_(seed) {
  for (const BroadphaseKind kind : kBroadphaseKinds) add_world(name_of(kind), kind);
  add_world("sectors", BroadphaseKind::kSectorGrid, {SectorScheme::kPlain, options.size_max});
  add_world("horizontal strips", BroadphaseKind::kSectorGrid, {SectorScheme::kHorizontalStrips, 0});
  add_world("vertical strips", BroadphaseKind::kSectorGrid, {SectorScheme::kVerticalStrips, 0});
}

void Scene::add_world(std::string name, BroadphaseKind kind, const SectorGridSettings& sector_grid) {
  WorldConfig config = config_;
  config.broadphase = kind;
  config.sector_grid = sector_grid;
  worlds_.push_back({std::move(name), World(config)});
}

void Scene::play(Coverage& coverage) {
  for (std::uint32_t i = 0; i < options_.objects_at_start; ++i) spawn(random_point());
  for (std::uint32_t i = 0; i < options_.ticks && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "tick " << reference_.tick() + 1);
    ids_.clear();
    for (const auto& [id, object] : reference_.objects()) ids_.push_back(id);
    if (i > 0) change_randomly();
    compare_answers();  // With changes that have not been judged yet,
    judge();
    compare_answers();  // and without.
  }
  if (!testing::Test::HasFailure()) end();
  for (const auto& [reason, count] : seen_) coverage[reason] += count;
}

template <typename Change>
void Scene::change(Change change) {
  const ChangeResult expected = change(reference_);
  for (auto& [name, world] : worlds_) {
    const ChangeResult result = change(world);
    EXPECT_EQ(result.error, expected.error);
    EXPECT_EQ(result.part, expected.part);
  }
}

void Scene::change_randomly() {
  if (random_.chance(options_.quiet_chance)) {
    if (random_.chance(70))
      step_layer(saturate_layer(static_cast<std::uint32_t>(random_.index(options_.layers))));
    return;
  }
  for (std::uint32_t i = 0; i < options_.spawns; ++i) spawn(random_point());
  if (random_.chance(options_.burst_chance)) {
    const Point point = random_point();
    for (std::uint32_t i = 0; i < options_.burst; ++i) spawn(point);
  }
  if (ids_.empty()) return;
  for (std::uint32_t i = 0; i < options_.reshapes; ++i) {
    change([id = pick(), parts = random_parts()](auto& world) { return world.reshape(id, parts); });
  }
  for (std::uint32_t i = 0; i < options_.layer_changes; ++i) {
    const auto layer = static_cast<std::uint32_t>(random_.index(options_.layers));
    std::optional<std::uint32_t> part;
    if (random_.chance(50)) part = static_cast<std::uint32_t>(random_.index(options_.parts_max));
    change([id = pick(), part, layer](auto& world) { return world.change_layer(id, part, layer); });
  }
  step_some();
  for (std::uint32_t i = 0; i < options_.teleports; ++i) {
    change([id = pick(), point = random_point()](auto& world) { return world.move_to(id, point); });
    if (random_.chance(20)) {
      const Motion motion{random_step(), random_.chance(50) ? random_step() : Point{}};
      change([id = pick(), motion](auto& world) { return world.set_motion(id, motion); });
    }
  }
  for (std::uint32_t i = 0; i < options_.disables; ++i) {
    const Tick until = random_.chance(20) ? kForever : reference_.tick() + random_.index(6);
    change([id = pick(), until](auto& world) { return world.disable_until(id, until); });
    if (random_.chance(50)) change([id = pick()](auto& world) { return world.enable(id); });
  }
  act_randomly();
  for (std::uint32_t i = 0; i < options_.despawns; ++i) {
    change([id = pick()](auto& world) { return world.despawn(id, ExitReason::kDespawned); });
  }
  for (std::uint32_t i = 0; i < options_.mistakes; ++i) make_mistake();
  if (random_.chance(options_.owner_leaves_chance)) owner_leaves();
}

void Scene::spawn(Point position) {
  if (reference_.objects().size() >= options_.objects_max) return;
  ObjectSpec spec;
  spec.id = next_id_++;
  spec.owner = static_cast<OwnerId>(random_.index(8));
  spec.position = position;
  spec.parts = random_parts();
  if (random_.chance(options_.motion_chance)) {
    spec.motion.velocity = random_step();
    if (random_.chance(options_.accelerated_chance)) spec.motion.acceleration = random_step();
  }
  spec.despawn_outside_playfield = random_.chance(options_.outside_chance);
  if (random_.chance(options_.time_to_live_chance)) {
    spec.time_to_live_ticks = static_cast<std::uint32_t>(random_.between(1, 20));
  }
  spec.continuous = random_.chance(options_.continuous_chance);
  if (options_.single_use_chance + options_.hit_points_chance + options_.damage_chance > 0) {
    spec.single_use = random_.chance(options_.single_use_chance);
    if (random_.chance(options_.hit_points_chance))
      spec.hit_points = static_cast<std::uint32_t>(random_.between(1, 6));
    if (random_.chance(options_.damage_chance))
      spec.damage = static_cast<std::uint32_t>(random_.between(1, 4));
  }
  change([&spec](auto& world) { return world.spawn(spec); });
}

void Scene::step(ObjectId id) {
  const auto found = reference_.objects().find(id);
  if (found == reference_.objects().end()) return;
  const Point from = found->second.spec.position;
  const Point step = random_step();
  const Point to{clamp(std::int64_t{from.x} + step.x), clamp(std::int64_t{from.y} + step.y)};
  change([id, to](auto& world) { return world.move_to(id, to); });
}

void Scene::step_some() {
  for (const ObjectId id : ids_) {
    if (random_.chance(options_.step_chance)) step(id);
  }
}

void Scene::step_layer(LayerId layer) {
  for (const ObjectId id : ids_) {
    if (reference_.objects().at(id).spec.parts[0].layer == layer && random_.chance(90)) step(id);
  }
}

void Scene::act_randomly() {
  for (std::uint32_t i = 0; i < options_.jumps; ++i) {
    change([id = pick(), point = random_point()](auto& world) { return world.teleport_to(id, point); });
    if (random_.chance(30)) step(pick());
  }
  for (std::uint32_t i = 0; i < options_.freezes; ++i) {
    change([id = pick()](auto& world) { return world.freeze(id); });
    change([id = pick()](auto& world) { return world.release(id); });
    if (random_.chance(50)) {
      change([id = pick(), step = random_step()](auto& world) { return world.set_motion(id, {step, {}}); });
    }
  }
  for (std::uint32_t i = 0; i < options_.transfers; ++i) {
    const auto owner = static_cast<OwnerId>(random_.index(8));
    change([id = pick(), owner](auto& world) { return world.set_owner(id, owner); });
  }
  for (std::uint32_t i = 0; i < options_.strikes; ++i) strike();
  if (random_.chance(options_.scroll_chance)) {
    const Point origin = random_.chance(5) ? Point{kSubunitsMax, 0} : random_step();
    const bool expected = reference_.scroll_to(origin);
    for (auto& [name, world] : worlds_) EXPECT_EQ(world.scroll_to(origin), expected) << name;
  }
}

void Scene::strike() {
  const ObjectId first = pick();
  const ObjectId second = pick();
  const auto [low, high] = std::minmax(first, second);
  const bool exist = reference_.objects().contains(low) && reference_.objects().contains(high);
  if (low == high || !exist) return;
  const EncounterKey key{low, high, reference_.objects().at(low).spec.parts[0].layer,
                         reference_.objects().at(high).spec.parts[0].layer};
  reference_.strike(key);
  for (auto& [name, world] : worlds_) world.strike(key);
}

void Scene::make_mistake() {
  const ObjectId id = pick();
  switch (random_.index(7)) {
    case 0: {  // An id that lives, or that was despawned in this tick.
      ObjectSpec spec;
      spec.id = id;
      spec.parts.resize(1);
      change([&](auto& world) { return world.spawn(spec); });
      break;
    }
    case 1:
      change([&](auto& world) { return world.reshape(id, {}); });
      break;
    case 2: {
      std::vector<Part> parts(random_.chance(50) ? 33 : 2);
      parts.back().box = {1, 0, 0, 0};
      change([&](auto& world) { return world.reshape(id, parts); });
      break;
    }
    case 3:
      change([&](auto& world) { return world.change_layer(id, std::nullopt, options_.layers); });
      break;
    case 4:
      change([&](auto& world) { return world.change_layer(id, options_.parts_max, 0); });
      break;
    case 5:
      change([&](auto& world) { return world.move_to(id, {kSubunitsMax, kSubunitsMin}); });
      break;
    default:
      change([&](auto& world) { return world.move_to(next_id_ + 1000, {}); });
  }
}

void Scene::owner_leaves() {
  const auto owner = static_cast<OwnerId>(random_.index(8));
  std::vector<ObjectId> ids;
  for (const auto& [id, object] : reference_.objects()) {
    if (object.spec.owner == owner) ids.push_back(id);
  }
  for (auto& [name, world] : worlds_) EXPECT_EQ(world.objects_of(owner), ids) << name;
  for (const ObjectId id : ids) {
    change([id](auto& world) { return world.despawn(id, ExitReason::kOwnerLeft); });
  }
}

void Scene::judge() {
  const std::vector<Event> expected = reference_.finish_tick();
  for (auto& [name, world] : worlds_) {
    SCOPED_TRACE(name);
    const std::span<const Event> events = world.finish_tick();
    ASSERT_TRUE(std::equal(events.begin(), events.end(), expected.begin(), expected.end()));
  }
  check_log(expected);
  compare_worlds();
}

void Scene::end() {
  const std::vector<Event> expected = reference_.end();
  for (auto& [name, world] : worlds_) {
    // What was changed since the last tick must not show.
    if (!ids_.empty()) world.despawn(pick());
    const std::span<const Event> events = world.end();
    ASSERT_TRUE(std::equal(events.begin(), events.end(), expected.begin(), expected.end()));
    EXPECT_EQ(world.object_count(), 0u);
    EXPECT_EQ(world.encounter_count(), 0u);
  }
  check_log(expected);
  EXPECT_TRUE(open_.empty());
}

void Scene::compare_worlds() {
  const std::vector<Encounter> open = reference_.open_encounters();
  for (const auto& [name, world] : worlds_) {
    SCOPED_TRACE(name);
    ASSERT_EQ(world.tick(), reference_.tick());
    ASSERT_EQ(world.state_hash(), reference_.state_hash());
    ASSERT_EQ(world.encounter_count(), open.size());
    ASSERT_TRUE(world.open_encounters() == open);
    ASSERT_TRUE(std::ranges::equal(world.removed_by_world(), reference_.removed_by_world(), {},
                                   &collision::RemovedObject::id));
    ASSERT_TRUE(std::ranges::equal(world.destructions(), reference_.destructions()));
    ASSERT_TRUE(std::ranges::equal(world.strikes(), reference_.strikes()));
    ASSERT_EQ(world.object_count(), reference_.objects().size());
    for (const auto& [id, object] : reference_.objects()) {
      const std::optional<ObjectView> view = world.find(id);
      ASSERT_TRUE(view.has_value());
      ASSERT_EQ(view->position, object.spec.position);
      ASSERT_EQ(view->motion, object.spec.motion);
      ASSERT_TRUE(std::ranges::equal(view->parts, object.spec.parts));
      ASSERT_EQ(view->disabled_until, object.disabled_until);
      ASSERT_EQ(view->expires_at, object.expires_at);
      ASSERT_EQ(view->owner, object.spec.owner);
      ASSERT_EQ(view->hit_points, object.spec.hit_points);
      ASSERT_EQ(view->damage, object.spec.damage);
      ASSERT_EQ(view->is_single_use, object.spec.single_use);
      ASSERT_EQ(view->is_frozen, object.is_frozen);
    }
  }
}

void Scene::compare_answers() {
  const ReferenceQueries expected(reference_, config_.masks);
  const Point a = random_point(question_random_);
  const Point b = random_point(question_random_);
  const Box region{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
  const Ray ray{a, question_random_.chance(30) ? Point{a.x, b.y} : b};
  constexpr auto kNumbers = std::numeric_limits<std::int64_t>();
  const auto layers = static_cast<std::uint64_t>(question_random_.between(kNumbers.min(), kNumbers.max()));
  const auto id = static_cast<ObjectId>(question_random_.between(1, next_id_));
  const std::vector<RayHit> hits = expected.all_hits(ray, layers);
  for (const auto& [name, world] : worlds_) {
    SCOPED_TRACE(name);
    const Queries queries = world.queries();
    ASSERT_TRUE(queries.in_region(region, layers) == expected.in_region(region, layers));
    ASSERT_TRUE(queries.all_hits(ray, layers) == hits);
    const std::optional<RayHit> first = queries.first_hit(ray, layers);
    ASSERT_TRUE(first == (hits.empty() ? std::nullopt : std::optional(hits.front())));
    ASSERT_TRUE(queries.nearest(b, layers) == expected.nearest(b, layers));
    ASSERT_TRUE(queries.encounters({.object = id}) == expected.encounters_of(id));
  }
}

void Scene::check_log(std::span<const Event> events) {
  for (const Event& event : events) {
    ASSERT_EQ(event.sequence_number, ++last_sequence_number_);
    ASSERT_EQ(event.tick, reference_.tick());
    ++seen_[event.reason];
    if (event.kind == EventKind::kEnter) {
      ASSERT_EQ(event.reason, ExitReason::kNone);
      ASSERT_TRUE(open_.emplace(event.key, event.tick).second) << "entered twice";
    } else {
      ASSERT_NE(event.reason, ExitReason::kNone);
      ASSERT_EQ(open_.erase(event.key), 1u) << "left what was not entered";
    }
  }
}

ObjectId Scene::pick() { return ids_[random_.index(ids_.size())]; }

Subunits Scene::on_grid(std::int64_t low, std::int64_t high, Random& random) const {
  const std::int64_t value = random.between(low, high);
  return static_cast<Subunits>(value - value % options_.grid);
}

Point Scene::random_point() { return random_point(random_); }

Point Scene::random_point(Random& random) const {
  const Box& area = options_.area;
  const Subunits x = on_grid(area.min_x, area.max_x, random);
  const Subunits y = on_grid(area.min_y, area.max_y, random);
  return {x, y};
}

Point Scene::random_step() {
  return {on_grid(-options_.step_max, options_.step_max), on_grid(-options_.step_max, options_.step_max)};
}

Part Scene::random_part() {
  Part part = random_.chance(options_.shape_chance) ? random_shape() : random_box();
  part.layer = saturate_layer(static_cast<std::uint32_t>(random_.index(options_.layers)));
  return part;
}

Part Scene::random_box() {
  const Subunits size = options_.size_max;
  const Subunits left = on_grid(-size, 0);
  const Subunits top = on_grid(-size, 0);
  // Points and lines are as common as boxes.
  return {.box = {left, top, random_.chance(30) ? left : on_grid(0, size),
                  random_.chance(30) ? top : on_grid(0, size)}};
}

Part Scene::random_shape() {
  const Subunits size = options_.size_max;
  const Point a{on_grid(-size, size), on_grid(-size, size)};
  const Point b{on_grid(-size, size), on_grid(-size, size)};
  const std::size_t kind = random_.index(3);
  if (kind == 0) return *make_circle(a, on_grid(0, size), 0);
  if (kind == 1) return *make_capsule(a, b, on_grid(0, size / 2), 0);
  const auto id = static_cast<MaskId>(random_.index(config_.masks.size()));
  return *make_mask(a, id, config_.masks[id], 0);
}

std::vector<Part> Scene::random_parts() {
  std::vector<Part> parts(static_cast<std::size_t>(random_.between(1, options_.parts_max)));
  std::generate(parts.begin(), parts.end(), [this] { return random_part(); });
  return parts;
}

}  // namespace sweepd::property
