// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "property/history/random_world.h"

namespace sweepd::property {

/// A copy of an object.
struct ObjectCopy {
  collision::OwnerId owner = 0;
  collision::Point position;
  collision::Motion motion;
  std::vector<collision::Part> parts;
  bool is_disabled = false;
  collision::Tick born = 0;
  collision::Tick teleported = 0;
};

/// A few questions, and what the world itself answered when the tick was its last.
struct Answers {
  collision::Box region;
  collision::Ray ray;
  std::uint64_t layers = 0;
  std::vector<collision::PartName> in_region = {};
  std::vector<collision::RayHit> hits = {};
  std::optional<collision::NearPart> nearest = {};  ///< Of the ray's beginning.
};

/// A copy of a whole world, taken at a tick's end.
struct WorldCopy {
  std::map<collision::ObjectId, ObjectCopy> objects;
  std::vector<collision::Encounter> encounters;
  Answers answers;
};

/// Keeps copies of all past worlds: what is said of the past is held against them.
class PastWorlds {
 public:
  void copy(RandomWorld& random_world);
  const WorldCopy& at(collision::Tick tick) const { return copies_.at(tick); }

 private:
  std::map<collision::Tick, WorldCopy> copies_;
};

}  // namespace sweepd::property
