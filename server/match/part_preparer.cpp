// SPDX-License-Identifier: MIT
#include "match/part_preparer.h"

namespace sweepd::match {
namespace {

using collision::Part;
using collision::ShapeKind;

std::optional<RejectionReason> prepare_mask(Part& part, std::span<const MaskConfig> masks) {
  if (collision::is_inverted(part.box) || part.mask >= masks.size()) return RejectionReason::kUnknownMask;
  const MaskSize size = size_of(masks[part.mask]);
  const std::int64_t max_x = part.box.min_x + size.width;
  const std::int64_t max_y = part.box.min_y + size.height;
  if (!collision::fits_subunits(max_x) || !collision::fits_subunits(max_y)) {
    return RejectionReason::kOutOfRange;
  }
  part.box.max_x = static_cast<collision::Subunits>(max_x);
  part.box.max_y = static_cast<collision::Subunits>(max_y);
  return std::nullopt;
}

std::optional<RejectionReason> prepare_part(Part& part, std::span<const MaskConfig> masks) {
  if (part.kind == ShapeKind::kBox) return std::nullopt;
  if (part.kind == ShapeKind::kMask) return prepare_mask(part, masks);
  if (part.radius < 0) return RejectionReason::kNegativeRadius;
  if (collision::is_inverted(part.box)) return RejectionReason::kOutOfRange;
  return std::nullopt;
}

}  // namespace

MaskSize size_of(const MaskConfig& mask) {
  return {std::int64_t{mask.width} * mask.pixel_size, std::int64_t{mask.height} * mask.pixel_size};
}

std::optional<Refusal> prepare_parts(std::span<Part> parts, std::span<const MaskConfig> masks) {
  if (parts.size() > collision::kPartsMax) return std::nullopt;  // The world refuses them for their number.
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto reason = prepare_part(parts[i], masks);
    if (reason) return Refusal{*reason, static_cast<std::uint8_t>(i)};
  }
  return std::nullopt;
}

}  // namespace sweepd::match
