// SPDX-License-Identifier: MIT
#include "scenes/stage.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::scenes {

using collision::Box;
using collision::PartChanges;
using collision::PartHandle;
using collision::Point;
using collision::Subunits;

std::uint16_t Stage::remember(const Role& role) {
  roles_.push_back(role);
  return static_cast<std::uint16_t>(roles_.size() - 1);
}

Point Stage::draw_velocity(const Speeds& speeds) {
  const std::int64_t shortest = std::int64_t{speeds.length_min} * speeds.length_min;
  const std::int64_t longest = std::int64_t{speeds.length_max} * speeds.length_max;
  for (;;) {
    const Point velocity = draw_position(speeds.range);
    const std::int64_t length = std::int64_t{velocity.x} * velocity.x + std::int64_t{velocity.y} * velocity.y;
    if (length >= shortest && length <= longest) return velocity;
  }
}

Point Stage::draw_position(const Box& range) {
  // Two statements: the order in which arguments are evaluated differs between compilers.
  const Subunits x = dice_.between(range.min_x, range.max_x);
  const Subunits y = dice_.between(range.min_y, range.max_y);
  return {x, y};
}

Stage::Actor Stage::make_actor(std::uint16_t role_index, PartHandle part) {
  const Role& role = roles_[role_index];
  Actor actor;
  actor.part = part;
  actor.object = next_object_++;
  actor.role = role_index;
  actor.width = dice_.between(role.width_min, role.width_max);
  actor.height = dice_.between(role.height_min, role.height_max);
  actor.position = draw_position(role.range);
  actor.velocity = draw_velocity(role.speeds);
  actor.offset = actor.position;
  return actor;
}

void Stage::add(const Role& role, std::uint32_t count) {
  SWEEPD_ASSERT(!started_);
  const std::uint16_t index = remember(role);
  churn_begin_ = actors_.size();
  for (std::uint32_t i = 0; i < count; ++i) actors_.push_back(make_actor(index, next_part_++));
}

void Stage::add_at(const Role& role, std::uint32_t count, Point position) {
  add(role, count);
  for (std::size_t i = actors_.size() - count; i < actors_.size(); ++i) {
    actors_[i].position = actors_[i].offset = position;
  }
}

void Stage::add_block(const Role& role, std::uint32_t columns, std::uint32_t rows) {
  add(role, 1);
  const auto leader = static_cast<std::uint32_t>(actors_.size() - 1);
  Role follower = role;
  follower.habit = Habit::kFollows;
  const std::uint16_t index = remember(follower);
  for (std::uint32_t i = 1; i < columns * rows; ++i) {
    Actor actor = actors_[leader];
    actor.part = next_part_++;
    actor.role = index;
    actor.leader = leader;
    actor.offset = {static_cast<Subunits>(i % columns) * actor.width,
                    static_cast<Subunits>(i / columns) * actor.height};
    actor.position = {actor.position.x + actor.offset.x, actor.position.y + actor.offset.y};
    actors_.push_back(actor);
  }
}

void Stage::churn(const Role& role, std::uint32_t count) {
  SWEEPD_ASSERT(actors_.size() - churn_begin_ >= count);
  churn_role_ = remember(role);
  churn_count_ = count;
}

Box Stage::box_of(const Actor& actor) {
  return {actor.position.x, actor.position.y, actor.position.x + actor.width,
          actor.position.y + actor.height};
}

PartChanges::Added Stage::added(const Actor& actor) const {
  return {actor.part, actor.object, roles_[actor.role].layer, box_of(actor)};
}

void Stage::fly(Actor& actor, const Role& role) {
  actor.position = {actor.position.x + actor.velocity.x, actor.position.y + actor.velocity.y};
  const Point& at = actor.position;
  if (at.x >= role.range.min_x && at.x <= role.range.max_x && at.y >= role.range.min_y &&
      at.y <= role.range.max_y) {
    return;
  }
  actor.position = draw_position(role.entry);
  actor.velocity = draw_velocity(role.speeds);
}

void Stage::bounce(Actor& actor, const Box& range) {
  const auto along = [](Subunits& position, Subunits& velocity, Subunits low, Subunits high) {
    if (position + velocity < low || position + velocity > high) velocity = -velocity;
    position = std::clamp(position + velocity, low, high);
  };
  along(actor.position.x, actor.velocity.x, range.min_x, range.max_x);
  along(actor.position.y, actor.velocity.y, range.min_y, range.max_y);
}

void Stage::move(Actor& actor) {
  const Role& role = roles_[actor.role];
  switch (role.habit) {
    case Habit::kRests:
      break;
    case Habit::kFlies:
      fly(actor, role);
      break;
    case Habit::kBounces:
      bounce(actor, role.range);
      break;
    case Habit::kScatters:
      actor.position = draw_position(role.range);
      break;
    case Habit::kDrifts:
      actor.position = {actor.position.x + actor.velocity.x, actor.position.y + actor.velocity.y};
      break;
    case Habit::kJitters: {
      const Point step = draw_velocity(role.speeds);
      actor.position = {actor.offset.x + step.x, actor.offset.y + step.y};
      break;
    }
    case Habit::kFollows: {
      const Point& leader = actors_[actor.leader].position;
      actor.position = {leader.x + actor.offset.x, leader.y + actor.offset.y};
      break;
    }
  }
}

PartHandle Stage::take_handle() {
  if (free_.empty()) return next_part_++;
  const PartHandle part = free_.back();
  free_.pop_back();
  return part;
}

void Stage::remove_some(PartChanges& changes) {
  for (std::uint32_t i = 0; i < churn_count_; ++i) {
    const std::size_t leaving =
        churn_begin_ + static_cast<std::size_t>(dice_.roll() % (actors_.size() - churn_begin_));
    changes.removed.push_back(actors_[leaving].part);
    freed_.push_back(actors_[leaving].part);
    actors_[leaving] = actors_.back();
    actors_.pop_back();
  }
}

void Stage::add_some(PartChanges& changes) {
  const Point spring = draw_position(roles_[churn_role_].range);
  for (std::uint32_t i = 0; i < churn_count_; ++i) {
    Actor actor = make_actor(churn_role_, take_handle());
    if (i % 2 == 0) actor.position = spring;
    actors_.push_back(actor);
    changes.added.push_back(added(actor));
  }
}

void Stage::next(PartChanges& changes) {
  changes.clear();
  if (!started_) {
    for (const Actor& actor : actors_) changes.added.push_back(added(actor));
    started_ = true;
    return;
  }
  remove_some(changes);
  for (Actor& actor : actors_) {
    if (roles_[actor.role].habit == Habit::kRests) continue;
    move(actor);
    changes.moved.push_back({actor.part, box_of(actor)});
  }
  add_some(changes);
  // What left in this tick is free from the next one on.
  free_.insert(free_.end(), freed_.begin(), freed_.end());
  freed_.clear();
}

}  // namespace sweepd::scenes
