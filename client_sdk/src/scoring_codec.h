// SPDX-License-Identifier: MIT
#pragma once

#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

void encode(const Score& score, v1::Score* out);
Score decode(const v1::Score& score);

}  // namespace sweepd::internal
