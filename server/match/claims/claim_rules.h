// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "match/field_check.h"

namespace sweepd::match {

/// What becomes of a claim that a frame makes, besides its verdict for who made it. The numbers are those of
/// the public contract.
enum class ClaimPolicy : std::uint8_t {
  kObserve = 1,  ///< It is counted.
  kWarn = 2,     ///< And told stages and observers where it is not confirmed.
  kEnforce = 3,  ///< And strikes where it is confirmed.
};

inline constexpr std::uint32_t kRewindTicksMax = 3600;
inline constexpr std::uint32_t kToleranceMax = 1u << 24;
inline constexpr std::uint32_t kHitsPerShotMax = 65'535;

/// How a match judges claims.
struct ClaimRules {
  ClaimPolicy policy = ClaimPolicy::kObserve;
  std::uint32_t rewind_ticks_max = 30;      ///< Before the last tick; 0 to kRewindTicksMax.
  std::uint32_t tolerance_max = 16 * 256;   ///< That a claim may ask for, subunits; 0 to kToleranceMax.
  std::uint32_t delay_allowance_ticks = 6;  ///< Beyond the claimant's measured delay; 0 to kRewindTicksMax.
  std::uint32_t hits_per_shot_max =
      1;  ///< 0 to kHitsPerShotMax; 0: no limit. A single-use shot has one in any case.
  friend bool operator==(const ClaimRules&, const ClaimRules&) = default;
};

/// Names fields within "claims.".
Found find_error(const ClaimRules& rules);

}  // namespace sweepd::match
