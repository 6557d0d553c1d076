// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sweepd/status.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// Appends the rows to `out`; kInternal if they make no sense, and `out` is then as it was.
Status decode(const v1::EventColumns& columns, std::vector<Event>* out);

Rejection decode(const v1::Rejection& rejection);
Encounter decode(const v1::Encounter& encounter);

}  // namespace sweepd::internal
