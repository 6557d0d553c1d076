// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::match {

/// The definition of the running hash (match/digest.h) by which new matches are hashed. A recorded match
/// keeps the one that it was recorded with, for good.
///
/// 1: a refused change is hashed with all its words, so its sender chooses some. 2: it is counted; and the
/// rules are stricter, where kStricterRules is asked for. 3: hashed as 2; the rules are as server/RULES.md
/// says, where kRulesAsSpecified is asked for.
inline constexpr std::uint32_t kDigestVersion = 3;
inline constexpr std::uint32_t kFirstDigestVersion = 1;

/// The first version whose matches are judged by these: templates are asked about all that a selection
/// freezes, not only about the sender's own; disable_within_ticks bounds the end of a time, not only its
/// beginning; SpawnRules::near asks where its object was when the tick began, not where its owner has moved
/// it since; and a playfield that scrolls carries along what has to stay in it.
inline constexpr std::uint32_t kStricterRules = 2;

/// The first version in which collision::SweepRules are as they are by default, and a participant's scores
/// are its own (Scoring).
inline constexpr std::uint32_t kRulesAsSpecified = 3;

constexpr bool is_known_digest_version(std::uint32_t version) {
  return version >= kFirstDigestVersion && version <= kDigestVersion;
}

}  // namespace sweepd::match
