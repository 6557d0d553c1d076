// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "field_error.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// From the game's words to the wire's. A function that returns an error may leave a half-written message
/// behind.
/// What the match has of what parts name by index.
struct MatchLimits {
  std::uint32_t layer_count = 0;
  std::uint32_t mask_count = 0;
};

Checked encode(const std::vector<Part>& parts, const MatchLimits& limits,
               google::protobuf::RepeatedPtrField<v1::Part>* out);
Checked encode(const Motion& motion, v1::Motion* out);
Motion decode(const v1::Motion& motion);
Checked encode(const ObjectSpec& spec, const MatchLimits& limits, v1::Spawn* out);
Checked check_layer(std::uint32_t layer, std::uint32_t layer_count);

}  // namespace sweepd::internal
