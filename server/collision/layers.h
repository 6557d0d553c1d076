// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace sweepd::collision {

/// Index of a layer in its world.
using LayerId = std::uint8_t;

inline constexpr std::uint32_t kLayersMax = 64;

/// A layer index from outside: one too large for a LayerId stays too large for any world, instead of
/// wrapping.
constexpr LayerId saturate_layer(std::uint32_t index) {
  return index < kLayersMax ? static_cast<LayerId>(index) : LayerId{255};
}

/// Which layers collide. Symmetric: `allow(a, b)` allows (b, a) too. What it forbids is never tested.
class CollisionMatrix {
 public:
  void allow(LayerId a, LayerId b) {
    SWEEPD_ASSERT(a < kLayersMax && b < kLayersMax);
    partners_[a] |= std::uint64_t{1} << b;
    partners_[b] |= std::uint64_t{1} << a;
  }

  bool allows(LayerId a, LayerId b) const { return (partners_[a] >> b & 1) != 0; }

  /// Bit i is set where `layer` collides with layer i.
  std::uint64_t partners(LayerId layer) const { return partners_[layer]; }

  /// All partners by layer, up to the last layer that has any: small, to be kept.
  std::vector<std::uint64_t> all_partners() const {
    std::size_t count = kLayersMax;
    while (count > 0 && partners_[count - 1] == 0) --count;
    return {partners_.begin(), partners_.begin() + count};
  }

  friend bool operator==(const CollisionMatrix&, const CollisionMatrix&) = default;

 private:
  std::array<std::uint64_t, kLayersMax> partners_{};
};

}  // namespace sweepd::collision
