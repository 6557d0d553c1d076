// SPDX-License-Identifier: MIT
#pragma once

#include "match/app_message.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::wire {

/// Of a content that is too long a byte more than may be: so that it is refused, and takes no more memory.
match::AppMessage decode_message(const v1::AppMessage& message);
void encode_message(const match::AppMessage& message, v1::AppMessage& out);

}  // namespace sweepd::wire
