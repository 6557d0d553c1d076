// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "replay/testimony.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// Standard input in the place of a file.
inline constexpr std::string_view kStandardInput = "-";

/// A file that is to be verified, and what it is expected to be.
struct VerificationRequest {
  std::string file = {};
  std::uint64_t line = 0;                          ///< Of the manifest; 0: it is of none.
  std::string player = {};                         ///< Who must have played; empty: any.
  std::optional<std::uint32_t> participant = {};   ///< The same; absent: any.
  std::optional<std::int64_t> claimed_score = {};  ///< Of that player. Absent: any score will do.
  /// Whose ticket must have held that player's seats, or those of all players where none is named. Not known:
  /// any.
  replay::TicketSubject subject = {};
  std::optional<std::string> nonce = {};  ///< Bytes. Absent: any.
  std::string key = {};                   ///< Its id among the trusted ones; empty: any of them.
  std::string rules = {};                 ///< Their name among the approved ones; empty: any of them.
  std::string fault = {};                 ///< Of the line itself: nothing can be verified.
};

/// Of a line of a manifest, which is longer than kManifestLineBytesMax where it is refused for that.
inline constexpr std::size_t kManifestLineBytesMax = 64 * 1024;

/// Reads a line of a manifest: a JSON object with "file", and perhaps "player", "participant", "score",
/// "subject" with its "subject_issuer" and "subject_tenant", "nonce" (hexadecimal digits), "key" and "rules".
/// What cannot be read is in `fault`. `defaults`: what it does not say.
VerificationRequest read_manifest_line(std::string_view text, std::uint64_t line,
                                       const VerificationRequest& defaults);

}  // namespace sweepd::tools
