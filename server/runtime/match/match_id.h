// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace sweepd::runtime {

/// Names a match on this server. It is enough for joining, so it cannot be guessed.
using MatchId = std::string;

/// 80 random bits from the operating system, as 16 characters a-z and 2-7 (base 32 of RFC 4648).
MatchId random_match_id();

/// Whether an id could be one of those. To be asked before a file is named by an id.
bool is_match_id(std::string_view text);

/// For a match that was given none; never 0.
std::uint64_t random_seed();

/// 16 unpredictable bytes.
std::string random_nonce();

}  // namespace sweepd::runtime
