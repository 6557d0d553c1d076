// SPDX-License-Identifier: MIT
#include "match/claims/closest_parts.h"

#include <tuple>

#include "collision/shapes/margin.h"

namespace sweepd::match {
namespace {

constexpr std::uint32_t kMaskPairs = 16;

bool has_pixels(const SweptPart& part) { return part.shape.kind == collision::ShapeKind::kMask; }

class Search {
 public:
  Search(const SweptParts& a, const SweptParts& b, const collision::CollisionMatrix& matrix)
      : a_(a), b_(b), matrix_(matrix), way_{a.way.x - b.way.x, a.way.y - b.way.y} {}

  /// Measures first what looks closest, because what is close tells of much else that it is not closer.
  std::optional<ClosestParts> run() {
    const auto [first_a, first_b] = most_likely();
    if (first_a == nullptr) return std::nullopt;
    measure(*first_a, *first_b);
    for_each_pair([this, first_a = first_a, first_b = first_b](const SweptPart& a, const SweptPart& b) {
      const bool is_first = &a == first_a && &b == first_b;
      if (!is_first && is_closer(bound(a, b), a, b)) measure(a, b);
    });
    return closest_;
  }

 private:
  template <typename Visit>
  void for_each_pair(const Visit& visit) const {
    for (const SweptPart& a : a_.parts) {
      for (const SweptPart& b : b_.parts) {
        if (matrix_.allows(a.layer, b.layer)) visit(a, b);
      }
    }
  }

  std::int64_t bound(const SweptPart& a, const SweptPart& b) const {
    return collision::least_margin(a.shape.box, b.shape.box, way_);
  }

  std::pair<const SweptPart*, const SweptPart*> most_likely() const {
    std::pair<const SweptPart*, const SweptPart*> found;
    std::int64_t least = 0;
    for_each_pair([&](const SweptPart& a, const SweptPart& b) {
      const std::int64_t margin = bound(a, b);
      if (found.first != nullptr && margin >= least) return;
      least = margin;
      found = {&a, &b};
    });
    return found;
  }

  /// Whether a pair of that margin would take the place of the closest so far.
  bool is_closer(std::int64_t margin, const SweptPart& a, const SweptPart& b) const {
    return std::tuple(margin, a.index, b.index) <
           std::tuple(closest_.margin, closest_.a->index, closest_.b->index);
  }

  void measure(const SweptPart& a, const SweptPart& b) {
    closest_.measured += has_pixels(a) || has_pixels(b) ? kMaskPairs : 1;
    const std::int64_t limit = closest_.a == nullptr ? collision::kMarginMax : closest_.margin;
    const std::int64_t margin = collision::margin(a.shape, a_.way, b.shape, b_.way, limit);
    if (closest_.a != nullptr && !is_closer(margin, a, b)) return;
    closest_.margin = margin;
    closest_.a = &a;
    closest_.b = &b;
  }

  const SweptParts& a_;
  const SweptParts& b_;
  const collision::CollisionMatrix& matrix_;
  collision::Way way_;  ///< Of `a` against `b`.
  ClosestParts closest_;
};

}  // namespace

std::optional<ClosestParts> closest_parts(const SweptParts& a, const SweptParts& b,
                                          const collision::CollisionMatrix& matrix) {
  return Search(a, b, matrix).run();
}

}  // namespace sweepd::match
