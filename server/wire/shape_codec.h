// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/object.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::wire {

/// Parts as the match takes them from a frame: a mask has no size yet, and what has no counterpart in the
/// domain (a circle that reaches out of the range of coordinates, an index that fits no id) becomes something
/// that every match refuses by the name of its field.
std::vector<collision::Part> decode_parts(const google::protobuf::RepeatedPtrField<v1::Part>& messages);

/// The same part decodes to the same shape; which end of a capsule's line comes first may differ.
void encode_box(const collision::Box& box, v1::Box& message);
void encode_part(const collision::Part& part, v1::Part& message);

}  // namespace sweepd::wire
