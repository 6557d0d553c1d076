// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "match/enum_range.h"
#include "match/field.h"

namespace sweepd::match {

/// What becomes of a claim that a frame makes, besides the claimant's verdict. The numbers are those of
/// the public contract.
enum class ClaimPolicy : std::uint8_t {
  kObserve = 1,  ///< It is counted.
  kWarn = 2,     ///< And told stages and observers where it is not confirmed.
  kEnforce = 3,  ///< And strikes where it is confirmed.
};
constexpr Range numbers_of(ClaimPolicy) { return range_from<ClaimPolicy::kObserve>(); }

/// How a match judges claims.
struct ClaimRules {
  ClaimPolicy policy = ClaimPolicy::kObserve;
  std::uint32_t rewind_ticks_max = 30;      ///< Before the last tick.
  std::uint32_t tolerance_max = 16 * 256;   ///< That a claim may ask for, subunits.
  std::uint32_t delay_allowance_ticks = 6;  ///< Beyond the claimant's measured delay.
  std::uint32_t hits_per_shot_max = 1;      ///< 0: no limit. A single-use shot has one in any case.
  /// The claimant's delay, as it counts, rises by a tick in so many; 0: as fast as it is measured.
  std::uint32_t window_rise_ticks = 0;
  friend bool operator==(const ClaimRules&, const ClaimRules&) = default;
};

constexpr void for_each_field(std::type_identity<ClaimRules>, const auto& visit) {
  visit(SWEEPD_FIELD(ClaimRules, policy).digested());
  visit(SWEEPD_FIELD(ClaimRules, rewind_ticks_max).in({0, 3600}).digested());
  visit(SWEEPD_FIELD(ClaimRules, tolerance_max).in({0, 1u << 24}).digested());
  visit(SWEEPD_FIELD(ClaimRules, delay_allowance_ticks).in({0, 3600}).digested());
  visit(SWEEPD_FIELD(ClaimRules, hits_per_shot_max).in({0, 65'535}).digested());
  visit(SWEEPD_FIELD(ClaimRules, window_rise_ticks).in({0, 3600}).digested_as(20).since_format(4));
}

}  // namespace sweepd::match
