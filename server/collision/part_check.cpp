// SPDX-License-Identifier: MIT
#include "collision/part_check.h"

namespace sweepd::collision {
namespace {

ChangeError check_part(const Part& part, Point position, std::uint32_t layer_count) {
  if (is_inverted(part.box)) return ChangeError::kInvertedBox;
  if (part.layer >= layer_count) return ChangeError::kUnknownLayer;
  if (!translate(part.box, position)) return ChangeError::kOutOfRange;
  return ChangeError::kNone;
}

}  // namespace

ChangeResult check_parts(std::span<const Part> parts, Point position, std::uint32_t layer_count) {
  if (parts.empty()) return {ChangeError::kNoParts};
  if (parts.size() > kPartsMax) return {ChangeError::kTooManyParts};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ChangeError error = check_part(parts[i], position, layer_count);
    if (error != ChangeError::kNone) return {error, static_cast<std::uint8_t>(i)};
  }
  return {};
}

ChangeResult check_range(std::span<const Part> parts, Point position) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!translate(parts[i].box, position)) return {ChangeError::kOutOfRange, static_cast<std::uint8_t>(i)};
  }
  return {};
}

}  // namespace sweepd::collision
