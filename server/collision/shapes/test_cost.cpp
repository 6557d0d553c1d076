// SPDX-License-Identifier: MIT
#include "collision/shapes/test_cost.h"

#include <algorithm>

#include "collision/shapes/bit_mask.h"

namespace sweepd::collision {
namespace {

// So many words of a mask are looked at in the time of one test.
constexpr std::uint64_t kWordsPerTest = 8;

std::uint64_t words_of(const BitMask& mask) {
  return std::uint64_t{BitMask::words_per_row(static_cast<std::uint32_t>(mask.width()))} *
         static_cast<std::uint64_t>(mask.height());
}

/// Each run of `runs` is looked for in the rows of `other` that it covers.
std::uint64_t cost_of_runs(const BitMask& runs, const BitMask& other) {
  const auto rows = static_cast<std::uint64_t>(runs.pixel_size() / other.pixel_size()) + 2;
  return runs.run_count() * std::min(rows, static_cast<std::uint64_t>(other.height()));
}

std::uint64_t touch_cost(const BitMask& a, const BitMask& b) {
  if (a.pixel_size() == b.pixel_size()) return 1 + words_of(a) + words_of(b);
  return 1 + cost_of_runs(a, b) + cost_of_runs(b, a);
}

}  // namespace

std::uint64_t touch_cost(const Shape& a, const Shape& b) {
  if (a.mask == nullptr && b.mask == nullptr) return 1;
  if (a.mask != nullptr && b.mask != nullptr) return touch_cost(*a.mask, *b.mask);
  const BitMask& mask = a.mask != nullptr ? *a.mask : *b.mask;
  const Shape& other = a.mask != nullptr ? b : a;
  return other.kind == ShapeKind::kBox ? 1 + words_of(mask) / kWordsPerTest : 1 + mask.run_count();
}

std::uint64_t sweep_cost(const Shape& a, const Shape& b, std::uint32_t tests_per_sweep) {
  const std::uint64_t runs_a = a.mask == nullptr ? 0 : a.mask->run_count();
  const std::uint64_t runs_b = b.mask == nullptr ? 0 : b.mask->run_count();
  return std::uint64_t{tests_per_sweep} * (1 + runs_a) * (1 + runs_b);
}

}  // namespace sweepd::collision
