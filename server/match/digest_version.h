// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::match {

/// The definition of the running hash (match/digest.h) by which new matches are hashed. A recorded match
/// keeps the one that it was recorded with, for good.
///
/// 1: a refused change is hashed with all its words, so its sender chooses some. 2: it is counted.
inline constexpr std::uint32_t kDigestVersion = 2;
inline constexpr std::uint32_t kFirstDigestVersion = 1;

constexpr bool is_known_digest_version(std::uint32_t version) {
  return version >= kFirstDigestVersion && version <= kDigestVersion;
}

}  // namespace sweepd::match
