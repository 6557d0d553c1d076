// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "collision/event.h"

namespace sweepd::wire {

/// Where the next page of encounters goes on: after this one.
std::string encode_page_token(const collision::EncounterKey& last);

/// Nothing for what never was a token.
std::optional<collision::EncounterKey> decode_page_token(const std::string& token);

}  // namespace sweepd::wire
