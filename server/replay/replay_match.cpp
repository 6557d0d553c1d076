// SPDX-License-Identifier: MIT
#include "replay/replay_match.h"

#include <utility>

namespace sweepd::replay {

base::Result<std::unique_ptr<match::Match>, FileFault> match_to_play(const Reader& reader) {
  match::MatchConfig config = reader.config();
  config.broadphase = match::MatchConfig().broadphase;
  if (config.claims.policy != match::ClaimPolicy::kEnforce) config.history_ticks = 0;
  auto match = match::Match::create(std::move(config));
  if (match) return std::move(match.value());
  return FileFault{
      .record = "header",
      .what = "no match can have this config: " + match.error().field + " " + match.error().description};
}

}  // namespace sweepd::replay
