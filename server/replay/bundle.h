// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "replay/moment.h"
#include "replay/reader.h"
#include "replay/signing_key.h"

namespace sweepd::replay {

// A bundle (.swpb) is kBundleMagic, the format's version in 4 bytes, little-endian, and a Bundle
// (sweepd/replay/v1/bundle.proto).
inline constexpr std::string_view kBundleMagic = "\x89SWPB\r\n\x1a";
inline constexpr std::uint32_t kBundleVersion = 1;
inline constexpr std::size_t kBundleBytesMax = std::size_t{256} << 20;
inline constexpr std::uint64_t kBundleTicksMax = 36'000;

bool is_bundle(std::string_view bytes);

/// Which ticks a bundle has, and the one that it is about, which is one of those.
struct BundleRange {
  Tick at = 0;
  Tick first = 0;
  Tick last = 0;
};

/// Some ticks of a whole replay with all that it takes to play them again: the match as it was before them,
/// what came in, the claims that they judge, the counters of the participants, the replay's header and footer
/// with its receipt, and the SHA-256 of the replay. Signed by its packer: only the packer can say that these
/// are ticks of that replay, so it verifies the replay before. `file`: the whole replay, which `reader`
/// reads. `range`: within its ticks, kBundleTicksMax at most.
base::Result<std::string, FileFault> make_bundle(const Reader& reader, std::string_view file,
                                                 const BundleRange& range, const SigningKey& key);

/// What a bundle says, once it has been checked.
struct Bundle {
  Head head = {};
  Footer footer = {};
  match::MatchConfig config = {};
  std::string replay_sha256 = {};
  BundleRange range = {};
  PublicKey packer = {};
};

/// Whether a bundle is what it says: signed by its packer's key, with a receipt of its own key over its
/// header and footer, and its ticks, played again, come to the digests, claims and counters that it has.
/// Whose keys the two are is for the caller to look at. `visit`: is told each tick.
base::Result<Bundle, FileFault> check_bundle(std::string_view bytes,
                                             const std::function<void(const Moment&)>& visit = {});

}  // namespace sweepd::replay
