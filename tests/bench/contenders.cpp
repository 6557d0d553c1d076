// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/assert.h"
#include "bench/contender.h"
#include "reference/endpoint_sweep.h"

namespace sweepd::bench {
namespace {

class BroadphaseContender : public Contender {
 public:
  explicit BroadphaseContender(std::unique_ptr<collision::Broadphase> broadphase)
      : broadphase_(std::move(broadphase)) {}

  void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override {
    broadphase_->update(parts, overlaps);
  }

 private:
  std::unique_ptr<collision::Broadphase> broadphase_;
};

ContenderInfo sweepd_broadphase(const char* name, collision::BroadphaseKind kind,
                                collision::SectorGridSettings sector_grid = {}) {
  return {name, Side::kSweepd, [kind, sector_grid](const Arena& arena) {
            return std::make_unique<BroadphaseContender>(
                collision::make_broadphase({kind, arena.matrix, sector_grid}));
          }};
}

std::unique_ptr<Contender> make_endpoint_sweep(const Arena& arena) {
  return std::make_unique<BroadphaseContender>(std::make_unique<reference::EndpointSweep>(arena.matrix));
}

std::vector<ContenderInfo> list_contenders() {
  using collision::BroadphaseKind;
  using collision::SectorScheme;
  std::vector<ContenderInfo> list{
      sweepd_broadphase("sweep_and_prune", BroadphaseKind::kSweepAndPrune),
      sweepd_broadphase("four_shifts", BroadphaseKind::kSectorGrid, {SectorScheme::kFourShifts, 0}),
      sweepd_broadphase("sectors", BroadphaseKind::kSectorGrid, {SectorScheme::kPlain, 0}),
      sweepd_broadphase("approach", BroadphaseKind::kApproach),
      sweepd_broadphase("brute_force", BroadphaseKind::kBruteForce),
      {"simd_brute", Side::kPlain, make_simd_brute},
      {"plain_grid", Side::kPlain, make_plain_grid},
      {"endpoint_sweep", Side::kPlain, make_endpoint_sweep},
  };
#ifdef SWEEPD_BENCH_BOOST
  list.push_back({"boost_rtree", Side::kPeer, make_boost_rtree});
#endif
#ifdef SWEEPD_BENCH_CGAL
  list.push_back({"cgal_boxes", Side::kPeer, make_cgal_boxes});
#endif
#ifdef SWEEPD_BENCH_BULLET
  list.push_back({"bullet_axis_sweep", Side::kPeer, make_bullet_axis_sweep});
  list.push_back({"bullet_dbvt", Side::kPeer, make_bullet_dbvt});
#endif
#ifdef SWEEPD_BENCH_BOX2D
  list.push_back({"box2d_trees", Side::kPeer, make_box2d_trees});
#endif
  return list;
}

}  // namespace

const std::vector<ContenderInfo>& contenders() {
  static const std::vector<ContenderInfo> kContenders = list_contenders();
  return kContenders;
}

const ContenderInfo& find_contender(const std::string& name) {
  const auto found = std::ranges::find(contenders(), name, &ContenderInfo::name);
  SWEEPD_ASSERT(found != contenders().end());
  return *found;
}

}  // namespace sweepd::bench
