// SPDX-License-Identifier: MIT
#include "collision/broadphase/standing_order.h"

namespace sweepd::collision {
namespace {

// To sort a box again costs about as much as this many comparisons with strays.
constexpr std::size_t kComparisonsPerBox = 40;

}  // namespace

void StandingOrder::note_changes(const LayerBoxes& layer) {
  if (!is_sorted_) return;
  if (layer.has_few_changed()) {
    add_strays(layer);
  } else {
    is_sorted_ = false;
  }
}

void StandingOrder::prepare(const LayerBoxes& layer, std::size_t changed_count,
                            std::vector<std::uint32_t>& scratch) {
  const std::size_t comparisons = changed_count * strays_.size();
  if (!is_sorted_ || comparisons_ + comparisons > kComparisonsPerBox * layer.size()) sort(layer, scratch);
  comparisons_ += changed_count * strays_.size();
}

void StandingOrder::sort(const LayerBoxes& layer, std::vector<std::uint32_t>& scratch) {
  order_.sort(layer.now(), fit_window(layer.now()), scratch);
  is_sorted_ = true;
  is_stray_.assign(layer.now().size(), false);
  strays_.clear();
  comparisons_ = 0;
  add_strays(layer);
}

void StandingOrder::add_strays(const LayerBoxes& layer) {
  is_stray_.resize(layer.now().size(), false);
  for (const LayerBoxes::Slot slot : layer.changed()) {
    if (!is_stray_[slot]) strays_.push_back(slot);
    is_stray_[slot] = true;
  }
}

}  // namespace sweepd::collision
