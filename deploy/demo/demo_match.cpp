// SPDX-License-Identifier: MIT
#include "demo_match.h"

namespace sweepd::demo {

MatchConfig demo_config() {
  MatchConfig config;
  config.name = "quickstart demo";
  config.layers = {"player", "graze", "player_shot", "enemy", "enemy_bullet", "item", "wreck"};
  config.collides = {{"player", "enemy"},
                     {"player", "enemy_bullet"},
                     {"player", "item"},
                     {"graze", "enemy_bullet"},
                     {"player_shot", "enemy"}};
  config.tick_rate_hz = kTickRateHz;
  config.playfield = Box{0, 0, kWidth, kHeight};
  config.start_after_participants = 3;
  return config;
}

Status take_refusals(Session& session, std::uint64_t& changes_too_late) {
  while (const auto refusal = session.poll_rejection()) {
    if (refusal->reason != "UNKNOWN_OBJECT") {
      return Status(ErrorCode::kFailedPrecondition, "refused: " + refusal->reason + ": " + refusal->message);
    }
    ++changes_too_late;
  }
  return {};
}

}  // namespace sweepd::demo
