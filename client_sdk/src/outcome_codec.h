// SPDX-License-Identifier: MIT
#pragma once

#include "field_error.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

Checked encode(const Selection& selection, std::uint32_t layer_count, v1::Selection* out);

}  // namespace sweepd::internal
