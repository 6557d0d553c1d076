// SPDX-License-Identifier: MIT
//
// Bullet's broadphases, in a world of no height: the incremental sweep and prune along three axes, and the
// pair of dynamic trees, whose collisions are looked for once a tick (deferred). Both keep pairs of boxes
// that are a little larger than ours: the exact boxes decide.
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <vector>

#include "base/assert.h"
#include "bench/contender.h"
#include "bench/pair_history.h"

namespace sweepd::bench {
namespace {

using collision::Box;
using collision::LayerId;
using collision::PartHandle;

/// A unit is 256 subunits: what Bullet's margins are made for. Exact, as subunits of all scenes have fewer
/// than 24 bits.
constexpr btScalar kUnitsPerSubunit = btScalar(1) / 256;

btVector3 low_corner(const Box& box) {
  return {static_cast<btScalar>(box.min_x) * kUnitsPerSubunit,
          static_cast<btScalar>(box.min_y) * kUnitsPerSubunit, 0};
}

btVector3 high_corner(const Box& box) {
  return {static_cast<btScalar>(box.max_x) * kUnitsPerSubunit,
          static_cast<btScalar>(box.max_y) * kUnitsPerSubunit, 0};
}

class BulletBroadphase : public Contender {
 public:
  BulletBroadphase(const Arena& arena, std::unique_ptr<btBroadphaseInterface> broadphase)
      : matrix_(arena.matrix), broadphase_(std::move(broadphase)), bodies_(arena.parts_max) {}

  void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override {
    for (const PartHandle part : parts.removed) broadphase_->destroyProxy(bodies_[part].proxy, nullptr);
    for (const auto& [part, box] : parts.moved) {
      bodies_[part].box = box;
      broadphase_->setAabb(bodies_[part].proxy, low_corner(box), high_corner(box), nullptr);
    }
    for (const auto& added : parts.added) add(added);
    broadphase_->calculateOverlappingPairs(nullptr);
    history_.begin_tick(overlaps);
    report();
    history_.end_tick();
  }

 private:
  struct Body {
    Box box;
    std::uint32_t object = 0;
    btBroadphaseProxy* proxy = nullptr;
  };

  void add(const collision::PartChanges::Added& added) {
    Body& body = bodies_[added.part];
    body.box = added.box;
    body.object = added.object;
    body.proxy = broadphase_->createProxy(low_corner(added.box), high_corner(added.box), BOX_SHAPE_PROXYTYPE,
                                          &body, 1 << added.layer, mask_of(added.layer), nullptr);
  }

  int mask_of(LayerId layer) const {
    int mask = 0;
    for (LayerId other = 0; other < 31; ++other) {
      if (matrix_.allows(layer, other)) mask |= 1 << other;
    }
    return mask;
  }

  void report() {
    const btBroadphasePairArray& pairs = broadphase_->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
      const auto* a = static_cast<const Body*>(pairs[i].m_pProxy0->m_clientObject);
      const auto* b = static_cast<const Body*>(pairs[i].m_pProxy1->m_clientObject);
      if (a->object != b->object && overlap(a->box, b->box)) history_.found(part_of(a), part_of(b));
    }
  }

  PartHandle part_of(const Body* body) const { return static_cast<PartHandle>(body - bodies_.data()); }

  collision::CollisionMatrix matrix_;
  std::unique_ptr<btBroadphaseInterface> broadphase_;
  std::vector<Body> bodies_;  // By handle; never grows, as Bullet points into it.
  PairHistory history_;
};

}  // namespace

std::unique_ptr<Contender> make_bullet_axis_sweep(const Arena& arena) {
  constexpr std::uint32_t kHandles16Max = 16'000;
  const btVector3 low = low_corner(arena.bounds) - btVector3(1, 1, 1);
  const btVector3 high = high_corner(arena.bounds) + btVector3(1, 1, 1);
  const bool has_accelerator = false;  // Another tree, for rays.
  std::unique_ptr<btBroadphaseInterface> broadphase;
  if (arena.parts_max <= kHandles16Max) {
    broadphase = std::make_unique<btAxisSweep3>(low, high, static_cast<unsigned short>(arena.parts_max + 2),
                                                nullptr, !has_accelerator);
  } else {
    broadphase =
        std::make_unique<bt32BitAxisSweep3>(low, high, arena.parts_max + 2, nullptr, !has_accelerator);
  }
  return std::make_unique<BulletBroadphase>(arena, std::move(broadphase));
}

std::unique_ptr<Contender> make_bullet_dbvt(const Arena& arena) {
  auto broadphase = std::make_unique<btDbvtBroadphase>();
  broadphase->m_deferedcollide = true;
  return std::make_unique<BulletBroadphase>(arena, std::move(broadphase));
}

}  // namespace sweepd::bench
