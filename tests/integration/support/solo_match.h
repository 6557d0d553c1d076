// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "integration/support/server_fixture.h"

namespace sweepd::test {

/// A match with a MANUAL clock and one player, who owns all its objects.
class SoloMatchTest : public ServerTest {
 protected:
  void begin(const MatchConfig& config = shooter_config(ClockKind::kManual)) {
    client_.emplace(client());
    match_id_ = client_->create_match(config)->match_id;
    session_.emplace(joined(*client_, match_id_, "player", Role::kPlayer));
  }

  /// The changes made so far apply in the first of these ticks.
  void step(std::uint32_t ticks = 1) {
    for (std::uint32_t i = 0; i < ticks; ++i) {
      ASSERT_TRUE(session_->end_frame(client_->get_match(match_id_)->tick + 1).ok());
      ASSERT_TRUE(client_->step_match(match_id_, 1, true).ok());
    }
  }

  ObjectId spawn(const ObjectSpec& spec) { return *session_->spawn(spec); }

  std::optional<Client> client_;
  std::optional<Session> session_;
  std::string match_id_;
};

}  // namespace sweepd::test
