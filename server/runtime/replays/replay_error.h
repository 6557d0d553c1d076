// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace sweepd::runtime {

enum class ReplayErrorKind : std::uint8_t {
  kNotFound,     ///< No such match, or its replay has been removed.
  kLost,         ///< Its log is damaged, or had to be given up.
  kFailing,      ///< The disk takes nothing now.
  kNoTicks,      ///< The match has not run a tick yet.
  kBusy,         ///< Too many are asked for, or being read, at once.
  kHeld,         ///< It is held, and cannot be removed.
  kHoldNotKept,  ///< The file system keeps no attributes.
  kTooMuchHeld,  ///< Together with what is held already.
};

struct ReplayError {
  ReplayErrorKind kind = ReplayErrorKind::kNotFound;
  std::string what = {};  ///< For people.
};

}  // namespace sweepd::runtime
