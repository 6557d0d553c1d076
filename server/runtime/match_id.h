// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sweepd::runtime {

/// Names a match on this server. Who knows it may join: so it cannot be guessed.
using MatchId = std::string;

/// 80 random bits from the operating system, as 16 characters a-z and 2-7 (base 32 of RFC 4648).
MatchId random_match_id();

/// For a match that was given none; never 0.
std::uint64_t random_seed();

}  // namespace sweepd::runtime
