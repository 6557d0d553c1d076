// SPDX-License-Identifier: MIT
#include "replay/replay_match.h"

#include <utility>

namespace sweepd::replay {

namespace {

match::MatchConfig config_to_play(const Reader& reader, PlayedPast past) {
  match::MatchConfig config = reader.config();
  config.broadphase = match::MatchConfig().broadphase;
  const bool keeps_past =
      past == PlayedPast::kAsConfigured || config.claims.policy == match::ClaimPolicy::kEnforce;
  if (!keeps_past) config.history_ticks = 0;
  return config;
}

}  // namespace

base::Result<std::unique_ptr<match::Match>, FileFault> match_to_play(const Reader& reader, PlayedPast past) {
  auto match = match::Match::create(config_to_play(reader, past), reader.head().digest_version);
  if (match) return std::move(match.value());
  return FileFault{
      .record = "header",
      .what = "no match can have this config: " + match.error().field + " " + match.error().description};
}

bool is_known(const Reader::KeyFramePlace& key_frame) { return key_frame.version == match::kSnapshotVersion; }

base::Result<std::unique_ptr<match::Match>, match::SnapshotError> match_to_play_from(
    const Reader& reader, const KeyFrame& key_frame, PlayedPast past) {
  match::MatchConfig config = config_to_play(reader, past);
  const std::uint32_t digests = reader.head().digest_version;
  if (config.history_ticks > 0) return match::Match::restore(std::move(config), key_frame.content, digests);
  return match::Match::restore_without_past(std::move(config), key_frame.content, digests);
}

}  // namespace sweepd::replay
