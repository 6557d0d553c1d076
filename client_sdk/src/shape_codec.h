// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "field_error.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// From the game's words to the wire's. A function that returns an error may leave a half-written message
/// behind.
Checked encode(const Box& box, v1::Box* out);
Box decode(const v1::Box& box);

/// All of a part but its layer. `mask_count`: how many masks the match has.
Checked encode_shape(const Part& part, std::uint32_t mask_count, v1::Part* out);

Part decode(const v1::Part& part);

Checked encode(const BitMask& mask, v1::BitMask* out);
/// The pixels are clear where the message has none.
BitMask decode(const v1::BitMask& mask);

}  // namespace sweepd::internal
