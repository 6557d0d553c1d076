// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collision/geometry.h"
#include "collision/object.h"

namespace sweepd::match {

/// Objects by where they are and what they are: all that have a part on one of `layers` which touches
/// `region` and that the sender may clear: its own, and others' where that part is on a clearable layer.
struct Selection {
  std::vector<std::uint32_t> layers = {};     ///< Empty: all.
  std::optional<collision::Box> region = {};  ///< Absent: everywhere.
};

/// Objects go to another participant.
struct Transfer {
  std::vector<collision::ObjectId> objects = {};  ///< Empty: all of the sender's.
  std::uint32_t to = 0;
  bool with_stage = false;  ///< The right to act as the stage goes along.
};

}  // namespace sweepd::match
