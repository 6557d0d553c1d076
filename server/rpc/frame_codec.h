// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "match/config.h"
#include "match/frame.h"
#include "rpc/move_bases.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

collision::Box decode_box(const v1::Box& message);
void encode_box(const collision::Box& box, v1::Box* message);

/// A frame in the domain's terms, or the field that makes it impossible to understand (columns of unequal length, a
/// relative move past the range of numbers). `bases` take over what the frame sent only if it was understood.
base::Result<match::Frame, match::FieldError> decode_frame(const v1::Frame& message, MoveBases& bases);

}  // namespace sweepd::rpc
