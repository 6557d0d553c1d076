// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collision/geometry.h"
#include "collision/layers.h"

namespace sweepd::collision {

enum class BroadphaseKind : std::uint8_t;

/// Names a part in a broadphase. Handles are small numbers: implementations may index arrays with them.
using PartHandle = std::uint32_t;
inline constexpr PartHandle kNoHandle = ~PartHandle{0};

/// Two parts of different objects; first < second.
struct OverlapPair {
  PartHandle first = 0;
  PartHandle second = 0;
  friend auto operator<=>(const OverlapPair&, const OverlapPair&) = default;
};

/// How the overlaps of one `update` differ from those of the update before. Each pair at most once and in one
/// list only; in no particular order.
struct OverlapChanges {
  std::vector<OverlapPair> began;
  std::vector<OverlapPair> ended;
};

/// Finds which parts overlap. It is told what changed, and once a tick it answers with what came of it: pairs
/// that stand as they stood are nobody's work.
///
/// Contract, the same for every implementation:
/// - Two parts are a pair if the matrix allows their layers, their objects differ and their boxes overlap
/// (closed).
/// - A removed part's pairs end. Its handle must not be added again before the next update.
/// - A part's layer and object never change: whoever wants that removes the part and adds another.
/// - A part that was added since the last update may not be removed before the next one; boxes may move
/// anywhere.
class Broadphase {
 public:
  virtual ~Broadphase() = default;

  virtual void add(PartHandle part, std::uint32_t object, LayerId layer, const Box& box) = 0;
  virtual void move(PartHandle part, const Box& box) = 0;
  virtual void remove(PartHandle part) = 0;

  /// Replaces the contents of `changes`.
  virtual void update(OverlapChanges& changes) = 0;

  /// Walks everything and asserts the invariants. For debug builds.
  virtual void validate() const = 0;
};

std::unique_ptr<Broadphase> make_broadphase(BroadphaseKind kind, const CollisionMatrix& matrix);

}  // namespace sweepd::collision
