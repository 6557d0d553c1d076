// SPDX-License-Identifier: MIT
#pragma once

#include "match/scoreboard.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::wire {

void encode_score(const match::Score& score, v1::Score& message);

}  // namespace sweepd::wire
