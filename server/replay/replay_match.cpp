// SPDX-License-Identifier: MIT
#include "replay/replay_match.h"

#include <utility>

namespace sweepd::replay {

namespace {

/// Without a past unless claims strike by it.
match::MatchConfig config_to_play(const Reader& reader) {
  match::MatchConfig config = reader.config();
  config.broadphase = match::MatchConfig().broadphase;
  if (config.claims.policy != match::ClaimPolicy::kEnforce) config.history_ticks = 0;
  return config;
}

}  // namespace

base::Result<std::unique_ptr<match::Match>, FileFault> match_to_play(const Reader& reader) {
  auto match = match::Match::create(config_to_play(reader), reader.head().digest_version);
  if (match) return std::move(match.value());
  return FileFault{
      .record = "header",
      .what = "no match can have this config: " + match.error().field + " " + match.error().description};
}

bool is_known(const Reader::KeyFramePlace& key_frame) { return key_frame.version == match::kSnapshotVersion; }

base::Result<std::unique_ptr<match::Match>, match::SnapshotError> match_to_play_from(
    const Reader& reader, const KeyFrame& key_frame) {
  match::MatchConfig config = config_to_play(reader);
  const std::uint32_t digests = reader.head().digest_version;
  if (config.history_ticks > 0) return match::Match::restore(std::move(config), key_frame.content, digests);
  return match::Match::restore_without_past(std::move(config), key_frame.content, digests);
}

}  // namespace sweepd::replay
