// SPDX-License-Identifier: MIT
#pragma once

#include "match/frame.h"

namespace sweepd::match {

/// The first list of a frame that asks for a change, in the contract's words; null where none does.
const char* first_change(const Frame& frame);

}  // namespace sweepd::match
