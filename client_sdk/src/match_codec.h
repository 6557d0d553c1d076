// SPDX-License-Identifier: MIT
#pragma once

#include "config_codec.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

Participant decode(const v1::Participant& participant);
MatchInfo decode(const v1::Match& match);

}  // namespace sweepd::internal
