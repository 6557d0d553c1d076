// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "match/refusal.h"

namespace sweepd::match {

/// An edge of a part that its object's position carries out of the range of coordinates.
struct Edge {
  const char* name = "";  ///< "min_x"
  bool is_x = true;
  std::int64_t value = 0;  ///< Relative to the position.
};

/// The first such edge. Nothing where there is none: a box that spans the whole range is refused, too.
std::optional<Edge> edge_out_of_range(const collision::Box& box, collision::Point position);
/// `edge`: as found by edge_out_of_range.
std::string describe_range(const std::optional<Edge>& edge, std::size_t part, collision::Point position);

/// A layer that the match does not have.
std::string describe_layer(const std::string& found, const RefusalContext& context);

/// What is wrong with the parts of a spawn or a reshape. `change`: its path, "spawns[2]".
RefusalText describe_parts(Refusal refusal, const std::string& change, std::span<const collision::Part> parts,
                           collision::Point position, const RefusalContext& context);

}  // namespace sweepd::match
