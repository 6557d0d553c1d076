// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::match {

/// What is written of a life in a history, beside what is written of all.
enum LifeTrait : std::uint32_t {
  kHasPositions = 1,
  kHasMotions = 2,
  kHasCourse = 4,  ///< It did not get where it is by its motion alone.
  kWasAltered = 8,
  kWasTeleported = 16,
  kIsSingleUse = 32,  ///< Of the living, the world tells.
  kIsUsedUp = 64,
  kHasTemplate = 128,  ///< That bounds claims.
  kLifeTraitsEnd = 256,
};

}  // namespace sweepd::match
