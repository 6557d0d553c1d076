// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "collision/event.h"

namespace sweepd::rpc {

/// Where a page of encounters ends, in words only the server has to understand: four numbers with dots between.
std::string encode_page_token(const collision::EncounterKey& last);

/// Nothing for what is no token.
std::optional<collision::EncounterKey> decode_page_token(const std::string& token);

}  // namespace sweepd::rpc
