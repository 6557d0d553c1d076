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
Checked encode(const Box& box, v1::Box* out);
Box decode(const v1::Box& box);

/// `layer_count`: how many layers the match has.
Checked encode(const std::vector<Part>& parts, std::uint32_t layer_count,
               google::protobuf::RepeatedPtrField<v1::Part>* out);
Checked encode(const Motion& motion, v1::Motion* out);
Checked encode(const ObjectSpec& spec, std::uint32_t layer_count, v1::Spawn* out);
Checked check_layer(std::uint32_t layer, std::uint32_t layer_count);

}  // namespace sweepd::internal
