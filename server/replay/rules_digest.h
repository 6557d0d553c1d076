// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "match/config.h"

namespace sweepd::replay {

/// SHA-256 over the rules of a config (match/rules.h), in 32 bytes:
///
///   "sweepd rules 1\n"    15 bytes; the number is the digest's version
///   for each rule, by the bytes of its field, ascending:
///     field               its length, 4 bytes, little-endian, and its bytes
///     value               the same
///
/// Two configs have the same digest where they have the same rules; their names may differ.
std::string rules_digest(const match::MatchConfig& config);

}  // namespace sweepd::replay
