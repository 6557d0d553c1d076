// SPDX-License-Identifier: MIT
//
// Every part of one layer against every part of the other, in loops that the compiler turns into vector code.
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "bench/contender.h"
#include "bench/pair_history.h"
#include "bench/placed_parts.h"

namespace sweepd::bench {
namespace {

using collision::Box;
using collision::LayerId;
using collision::PartHandle;
using collision::Subunits;

constexpr std::size_t kBlock = 64;

/// The boxes of a layer, one array for each edge. Filled up to whole blocks with boxes that nothing overlaps.
struct Columns {
  std::vector<Subunits> min_x, min_y, max_x, max_y;

  void fill(std::span<const PlacedParts::Placed> parts) {
    const std::size_t padded = (parts.size() + kBlock - 1) / kBlock * kBlock;
    for (std::vector<Subunits>* column : {&min_x, &min_y}) {
      column->assign(padded, std::numeric_limits<Subunits>::max());
    }
    for (std::vector<Subunits>* column : {&max_x, &max_y}) {
      column->assign(padded, std::numeric_limits<Subunits>::min());
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      min_x[i] = parts[i].box.min_x;
      min_y[i] = parts[i].box.min_y;
      max_x[i] = parts[i].box.max_x;
      max_y[i] = parts[i].box.max_y;
    }
  }
};

class SimdBrute : public Contender {
 public:
  explicit SimdBrute(const Arena& arena) : parts_(arena.matrix) {}

  void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override {
    parts_.apply(parts);
    history_.begin_tick(overlaps);
    is_filled_.fill(false);
    for (const auto& [smaller, larger] : parts_.layer_pairs()) {
      fill(larger);
      const auto few = parts_.on_layer(smaller);
      for (std::size_t i = 0; i < few.size(); ++i) scan(few[i], larger, smaller == larger ? i + 1 : 0);
    }
    history_.end_tick();
  }

 private:
  void fill(LayerId layer) {
    if (is_filled_[layer]) return;
    is_filled_[layer] = true;
    columns_[layer].fill(parts_.on_layer(layer));
  }

  /// Meets `part` with those of `layer` from `first` on.
  void scan(const PlacedParts::Placed& part, LayerId layer, std::size_t first) {
    const Columns& columns = columns_[layer];
    const Box box = part.box;
    for (std::size_t block = first / kBlock * kBlock; block < columns.min_x.size(); block += kBlock) {
      const Subunits* min_x = columns.min_x.data() + block;
      const Subunits* min_y = columns.min_y.data() + block;
      const Subunits* max_x = columns.max_x.data() + block;
      const Subunits* max_y = columns.max_y.data() + block;
      alignas(64) std::array<std::uint8_t, kBlock> hits;
      for (std::size_t i = 0; i < kBlock; ++i) {
        hits[i] = static_cast<std::uint8_t>((min_x[i] <= box.max_x) & (box.min_x <= max_x[i]) &
                                            (min_y[i] <= box.max_y) & (box.min_y <= max_y[i]));
      }
      report(part, layer, block, first, hits);
    }
  }

  /// Eight answers at a time, as most are "no".
  void report(const PlacedParts::Placed& part, LayerId layer, std::size_t block, std::size_t first,
              const std::array<std::uint8_t, kBlock>& hits) {
    const auto others = parts_.on_layer(layer);
    for (std::size_t i = 0; i < kBlock; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, hits.data() + i, sizeof word);
      for (; word != 0; word &= word - 1) {
        const std::size_t index = block + i + static_cast<std::size_t>(std::countr_zero(word)) / 8;
        if (index < first || part.object == others[index].object) continue;
        history_.found(part.part, others[index].part);
      }
    }
  }

  PlacedParts parts_;
  PairHistory history_;
  std::array<Columns, collision::kLayersMax> columns_;
  std::array<bool, collision::kLayersMax> is_filled_{};
};

}  // namespace

std::unique_ptr<Contender> make_simd_brute(const Arena& arena) { return std::make_unique<SimdBrute>(arena); }

}  // namespace sweepd::bench
