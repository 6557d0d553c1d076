// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "collision/object.h"
#include "match/config.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// Parts as the match takes them from a frame: a mask has no size yet, and what has no counterpart in the
/// domain (a circle that reaches out of the range of coordinates, an index that fits no id) becomes something
/// that every match refuses by the name of its field.
std::vector<collision::Part> decode_parts(const google::protobuf::RepeatedPtrField<v1::Part>& messages);

/// The same part decodes to the same shape; which end of a capsule's line comes first may differ.
void encode_part(const collision::Part& part, v1::Part& message);

/// Fills in defaults; the field that has no counterpart in the domain, or nothing. Limits are the match's.
std::optional<match::FieldError> decode_shape_config(const v1::MatchConfig& message,
                                                     match::MatchConfig& config);

/// Of the masks only sizes.
void encode_shape_config(const match::MatchConfig& config, v1::MatchConfig& message);

/// The pixels of the masks, where `message` has the rest of them.
void encode_mask_rows(const match::MatchConfig& config, v1::MatchConfig& message);

}  // namespace sweepd::rpc
