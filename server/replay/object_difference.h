// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "match/history/past_world.h"

namespace sweepd::replay {

/// An object that two worlds do not have alike.
struct ObjectDifference {
  enum class Where { kBoth, kOnlyInFirst, kOnlyInSecond };

  collision::ObjectId object = 0;
  Where where = Where::kBoth;
  // For people: "object 7 " and `first`; of the other, `second`.
  std::string first = {};   ///< "is at (1, 2)", "is there"
  std::string second = {};  ///< "at (3, 4)", "not"
};

/// The one with the lowest id: by where it is and how it moves, by owner, parts and whether it is disabled.
std::optional<ObjectDifference> first_difference(const match::PastWorld& first,
                                                 const match::PastWorld& second);

}  // namespace sweepd::replay
