// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sweepd::replay {

// A replay file (.swpr) is, in this order:
//   kMagic
//   the format's version, 4 bytes
//   records, each: its length (varint), a Record (sweepd/replay/v1/file.proto), XXH3 of the Record, 8 bytes
//     the header; then chunks of consecutive ticks from 1 on, with key frames between them; then the footer
//   where the footer begins, 8 bytes
//   kEndMagic
// Numbers are little-endian. A file without footer was cut off, or is still being written: what is there can
// be read.
//
// Links tie a file together: the first is SHA-256 of the header's Record, and each chunk and key frame has
// one over the link before it and its own content (record_chain.h). So what is taken from another replay,
// left out or put in another place is known for that, though its own checksum is right.

inline constexpr std::string_view kMagic = "\x89SWPR\r\n\x1a";
inline constexpr std::string_view kEndMagic = "SWPR-END";
/// 2: configs may have budgets, which end a match. 3: and templates. 4: and bounds of claims. 8: and what
/// templates may hit by claims and do with the motion and the age of objects, of which key frames tell, too.
/// 9: digests are of version 2, and templates bound how many are spawned in all; header, key frames and
/// footer have what a receipt of version 2 signs. 10: and objects may have tags, and frames messages. Version
/// 1 knows none; else they are the same. A file has the lowest version that says all that is in it: the rows
/// of a config's fields tell which they need (match/field.h).
inline constexpr std::uint32_t kFormatVersion = 10;
inline constexpr std::uint32_t kFormatVersionOfAnyConfig = 2;
inline constexpr std::uint32_t kFormatVersionWithStatements = 9;
inline constexpr std::uint32_t kOldestFormatVersion = 1;

/// The first version of digests whose files have records and receipts as from kFormatVersionWithStatements
/// on.
inline constexpr std::uint32_t kDigestVersionWithStatements = 2;

constexpr bool is_readable_version(std::uint32_t version) {
  return version >= kOldestFormatVersion && version <= kFormatVersion;
}

inline constexpr std::size_t kChecksumBytes = 8;
inline constexpr std::size_t kTrailerBytes = 16;

// What a reader takes at most; a writer makes no more.
inline constexpr std::size_t kContentBytesMax = std::size_t{64}
                                                << 20;  ///< Of a chunk or key frame, unpacked.
/// A chunk is closed when its ticks take this much, so that a reader of one need not hold more than a little.
inline constexpr std::size_t kChunkBytesAimed = std::size_t{4} << 20;
inline constexpr std::size_t kRecordBytesMax = kContentBytesMax + (std::size_t{1} << 20);
inline constexpr std::size_t kIdBytesMax = 64;  ///< A match's id, a nonce, an engine's version.
inline constexpr std::size_t kConfigBytesMax = std::size_t{4} << 20;
inline constexpr std::size_t kParticipantsListedMax = 4096;
inline constexpr std::size_t kScoresListedMax = 4096;
inline constexpr std::size_t kSeatHoldersListedMax = 1024;
inline constexpr std::size_t kSubjectBytesMax = 512;  ///< Name, issuer and tenant in all.
inline constexpr std::size_t kRulesNameBytesMax = 64;
inline constexpr std::size_t kStatementBytesMax = std::size_t{4} << 20;

}  // namespace sweepd::replay
