// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "match/claims/claim.h"
#include "match/rejection.h"

namespace sweepd::runtime {

/// As in the public contract, without what all of them begin with: "TOO_LATE", "NOT_OVERLAPPING". Empty:
/// there is none of that number.
std::string_view name_of(match::RejectionReason reason);
std::string_view name_of(match::Verdict verdict);

}  // namespace sweepd::runtime
