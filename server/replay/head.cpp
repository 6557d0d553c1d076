// SPDX-License-Identifier: MIT
#include "replay/head.h"

#include <utility>

#include "base/assert.h"
#include "match/digest.h"
#include "replay/config_codec.h"
#include "replay/engine_version.h"
#include "replay/file_format.h"
#include "replay/sha256.h"

namespace sweepd::replay {

Head head_of(const match::Match& match, std::string match_id, std::string nonce) {
  SWEEPD_ASSERT(match.tick() == 0);
  SWEEPD_ASSERT(match_id.size() <= kIdBytesMax && nonce.size() <= kIdBytesMax);
  Head head;
  head.engine_version = engine_version();
  head.digest_version = match::kDigestVersion;
  head.match_id = std::move(match_id);
  head.nonce = std::move(nonce);
  head.config_bytes = encode_config(match.config());
  head.config_digest = sha256({head.config_bytes});
  head.initial_digest = match.digest();
  SWEEPD_ASSERT(head.config_bytes.size() <= kConfigBytesMax);
  return head;
}

}  // namespace sweepd::replay
