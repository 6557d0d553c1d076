// SPDX-License-Identifier: MIT
#include "replay/head.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "match/digest.h"
#include "replay/config_codec.h"
#include "replay/engine_version.h"
#include "replay/file_format.h"
#include "replay/rules_digest.h"
#include "replay/sha256.h"

namespace sweepd::replay {

Head head_of(const match::Match& match, std::string match_id, std::string nonce, Creation creation) {
  SWEEPD_ASSERT(match.tick() == 0);
  SWEEPD_ASSERT(match_id.size() <= kIdBytesMax && nonce.size() <= kIdBytesMax);
  Head head;
  head.engine_version = engine_version();
  head.digest_version = match.digest_version();
  head.match_id = std::move(match_id);
  head.nonce = std::move(nonce);
  head.config_bytes = encode_config(match.config());
  head.config_digest = sha256({head.config_bytes});
  head.initial_digest = match.digest();
  SWEEPD_ASSERT(head.config_bytes.size() <= kConfigBytesMax);
  if (head.digest_version < kDigestVersionWithStatements) return head;
  head.rules_digest =
      creation.rules.digest.empty() ? rules_digest(match.config()) : std::move(creation.rules.digest);
  head.rules_name = std::move(creation.rules.name);
  head.creator = std::move(creation.creator);
  head.create_time_unix_ms = creation.time_unix_ms;
  return head;
}

std::uint32_t format_version_of(const Head& head) {
  const std::uint32_t lowest = format_version_of(head.config_bytes);
  return head.digest_version < kDigestVersionWithStatements ? lowest
                                                            : std::max(lowest, kFormatVersionWithStatements);
}

}  // namespace sweepd::replay
