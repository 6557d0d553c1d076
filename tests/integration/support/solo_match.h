// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "integration/support/manual_match.h"

namespace sweepd::test {

/// One player, who owns all objects of the match.
class SoloMatchTest : public ManualMatchTest {
 protected:
  void begin(const MatchConfig& config = shooter_config(ClockKind::kManual)) {
    ManualMatchTest::begin(config);
    session_.emplace(joined(*client_, match_id_, "player", Role::kPlayer));
  }

  /// The changes made so far apply in the first of these ticks.
  void step(std::uint32_t ticks = 1) {
    for (std::uint32_t i = 0; i < ticks; ++i) {
      ASSERT_TRUE(session_->end_frame(client_->get_match(match_id_)->tick + 1).ok());
      ManualMatchTest::step();
    }
  }

  ObjectId spawn(const ObjectSpec& spec) { return *session_->spawn(spec); }

  std::optional<Session> session_;
};

}  // namespace sweepd::test
