// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/geometry.h"
#include "collision/layers.h"

namespace sweepd::bench {

/// One way to do a whole tick: take in what changed, find the pairs that the matrix allows, tell which began
/// and which ended. The contract is that of collision::Broadphase::update.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) = 0;
};

/// What a contender may know of a scene beforehand: whoever uses these libraries knows the world's size, too.
struct Arena {
  collision::CollisionMatrix matrix;
  collision::Box bounds;        ///< Everything stays within.
  std::uint32_t parts_max = 0;  ///< Handles are smaller.
};

enum class Side : std::uint8_t {
  kSweepd,  ///< A broadphase of this project.
  kPlain,   ///< What a team would write by hand.
  kPeer,    ///< A library.
};

struct ContenderInfo {
  std::string name;
  Side side = Side::kPlain;
  std::function<std::unique_ptr<Contender>(const Arena&)> make;
};

/// All that were built; the default broadphase first.
const std::vector<ContenderInfo>& contenders();

/// The contender of that name; asserts that there is one.
const ContenderInfo& find_contender(const std::string& name);

// Each in its own file; the peers only where their packages are present.
std::unique_ptr<Contender> make_simd_brute(const Arena& arena);
std::unique_ptr<Contender> make_plain_grid(const Arena& arena);
std::unique_ptr<Contender> make_boost_rtree(const Arena& arena);
std::unique_ptr<Contender> make_cgal_boxes(const Arena& arena);
std::unique_ptr<Contender> make_bullet_axis_sweep(const Arena& arena);
std::unique_ptr<Contender> make_bullet_dbvt(const Arena& arena);
std::unique_ptr<Contender> make_box2d_trees(const Arena& arena);

}  // namespace sweepd::bench
