// SPDX-License-Identifier: MIT
#include "collision/broadphase/sector_grid.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "base/hash.h"

namespace sweepd::collision {
namespace {

// A part that touches more sectors is large; among four shifts, one that is larger than half of one.
constexpr std::int64_t kSectorsMax = 9;

// If one in so many parts is large, the size no longer fits.
constexpr std::size_t kLargeMax = 32;

// Sizes change seldom: one look at them serves so many updates.
constexpr std::uint32_t kUpdatesPerChoice = 32;

std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) {
  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

std::int64_t size_of(const Box& box) {
  return std::max(std::int64_t{box.max_x} - box.min_x, std::int64_t{box.max_y} - box.min_y);
}

}  // namespace

SectorGrid::SectorGrid(const CollisionMatrix& matrix, const SectorGridSettings& settings,
                       std::size_t pairs_max)
    : matrix_(matrix), settings_(settings), pairs_max_(pairs_max) {
  SWEEPD_ASSERT(settings.sector_size >= 0);
}

bool SectorGrid::update(const PartChanges& parts, OverlapChanges& overlaps) {
  parts_.apply(parts);
  choose_size();
  entries_.clear();
  large_.clear();
  is_large_.assign(parts_.end(), false);
  for (PartHandle part = 0; part < parts_.end(); ++part) {
    if (parts_[part].is_present && matrix_.partners(parts_[part].layer) != 0) file(part);
  }
  sort_entries();
  std::vector<OverlapPair>& found = pairs_.begin();
  compare_sectors(found);
  compare_large(found);
  if (found.size() > pairs_max_) return false;
  pairs_.finish(overlaps);
  // Others have come than those that the size was chosen by.
  if (large_.size() * kLargeMax > parts_.end()) updates_until_choice_ = 0;
  return true;
}

/// Regular is up to twice what all but one in 64 parts have at most: whatever is larger would make every
/// sector larger, and is compared with all. Sectors have twice the size of the largest regular part.
void SectorGrid::choose_size() {
  if (settings_.sector_size != 0) {
    size_ = settings_.sector_size;
    return;
  }
  if (updates_until_choice_-- > 0) return;
  updates_until_choice_ = kUpdatesPerChoice;
  sizes_.clear();
  for (PartHandle part = 0; part < parts_.end(); ++part) {
    if (parts_[part].is_present) sizes_.push_back(size_of(parts_[part].box));
  }
  if (sizes_.empty()) {
    updates_until_choice_ = 0;  // What comes decides.
    return;
  }
  const auto most = sizes_.end() - 1 - static_cast<std::ptrdiff_t>(sizes_.size() / 64);
  std::nth_element(sizes_.begin(), most, sizes_.end());
  const std::int64_t regular_max = 2 * *most;
  std::int64_t largest = 1;
  for (const std::int64_t size : sizes_) {
    if (size <= regular_max) largest = std::max(largest, size);
  }
  size_ = 2 * largest;
}

SectorGrid::Sector SectorGrid::sector_at(std::int64_t x, std::int64_t y, std::uint32_t grid) const {
  switch (settings_.scheme) {
    case SectorScheme::kHorizontalStrips:
      return {0, floor_divide(y, size_), grid};
    case SectorScheme::kVerticalStrips:
      return {floor_divide(x, size_), 0, grid};
    default:
      // Grid 1 is shifted in x, grid 2 in y, grid 3 in both.
      return {floor_divide(x + (grid & 1) * (size_ / 2), size_),
              floor_divide(y + (grid >> 1) * (size_ / 2), size_), grid};
  }
}

bool SectorGrid::is_large(const Box& box) const {
  if (settings_.scheme == SectorScheme::kFourShifts) return size_of(box) > size_ / 2;
  const Sector first = sector_at(box.min_x, box.min_y, 0);
  const Sector last = sector_at(box.max_x, box.max_y, 0);
  const std::int64_t columns = last.x - first.x + 1;
  const std::int64_t rows = last.y - first.y + 1;
  return columns > kSectorsMax || rows > kSectorsMax || columns * rows > kSectorsMax;
}

void SectorGrid::file(PartHandle part) {
  const Box& box = parts_[part].box;
  if (is_large(box)) {
    large_.push_back(part);
    is_large_[part] = true;
  } else if (settings_.scheme == SectorScheme::kFourShifts) {
    for (std::uint32_t grid = 0; grid < 4; ++grid)
      entries_.push_back({sector_at(box.min_x, box.min_y, grid), part});
  } else {
    file_where_it_is(part, box);
  }
}

void SectorGrid::file_where_it_is(PartHandle part, const Box& box) {
  const Sector first = sector_at(box.min_x, box.min_y, 0);
  const Sector last = sector_at(box.max_x, box.max_y, 0);
  for (std::int64_t y = first.y; y <= last.y; ++y) {
    for (std::int64_t x = first.x; x <= last.x; ++x) entries_.push_back({{x, y, 0}, part});
  }
}

/// By counting: parts of one sector come together, and with those of others whose hash is the same.
void SectorGrid::sort_entries() {
  const std::size_t bucket_count = std::bit_ceil(entries_.size() + 1);
  const auto bucket_of = [&](const Sector& sector) {
    const auto x = static_cast<std::uint64_t>(sector.x);
    const auto y = static_cast<std::uint64_t>(sector.y);
    return base::mix_word(x << 34 ^ y << 2 ^ sector.grid) & (bucket_count - 1);
  };
  begins_.assign(bucket_count + 2, 0);
  for (const Entry& entry : entries_) ++begins_[bucket_of(entry.sector) + 2];
  for (std::size_t i = 2; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  sorted_.resize(entries_.size());
  for (const Entry& entry : entries_) sorted_[begins_[bucket_of(entry.sector) + 1]++] = entry;
}

/// Whether this is the one sector, of those that two overlapping parts share, in which they are told of.
bool SectorGrid::is_told_in(const Sector& sector, const Box& a, const Box& b) const {
  if (settings_.scheme != SectorScheme::kFourShifts) {
    return sector == sector_at(std::max(a.min_x, b.min_x), std::max(a.min_y, b.min_y), 0);
  }
  for (std::uint32_t grid = 0; grid < sector.grid; ++grid) {
    if (sector_at(a.min_x, a.min_y, grid) == sector_at(b.min_x, b.min_y, grid)) return false;
  }
  return true;
}

void SectorGrid::compare_sectors(std::vector<OverlapPair>& found) const {
  for (std::size_t bucket = 0; bucket + 1 < begins_.size(); ++bucket) {
    for (std::uint32_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i) {
      const Entry& first = sorted_[i];
      const PlacedParts::Placed& a = parts_[first.part];
      if (found.size() > pairs_max_) return;
      for (std::uint32_t j = i + 1; j < begins_[bucket + 1]; ++j) {
        const Entry& second = sorted_[j];
        const PlacedParts::Placed& b = parts_[second.part];
        if (!parts_.may_meet(a, b, matrix_) || !overlap(a.box, b.box) || !(first.sector == second.sector))
          continue;
        // Parts are filed in the order of handles, and sorting keeps it.
        if (is_told_in(first.sector, a.box, b.box)) found.push_back({first.part, second.part});
      }
    }
  }
}

void SectorGrid::compare_large(std::vector<OverlapPair>& found) const {
  for (const PartHandle large : large_) {
    const PlacedParts::Placed& a = parts_[large];
    if (found.size() > pairs_max_) return;
    for (PartHandle part = 0; part < parts_.end(); ++part) {
      const PlacedParts::Placed& b = parts_[part];
      if (!b.is_present || !parts_.may_meet(a, b, matrix_) || !overlap(a.box, b.box)) continue;
      if (is_large_[part] && part <= large) continue;  // Of two large ones, the lower finds the other.
      found.push_back({std::min(large, part), std::max(large, part)});
    }
  }
}

}  // namespace sweepd::collision
