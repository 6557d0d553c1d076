// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "integration/support/server_fixture.h"

namespace sweepd::test {

/// A match with a MANUAL clock, which the test steps.
class ManualMatchTest : public ServerTest {
 protected:
  void begin(const MatchConfig& config = shooter_config(ClockKind::kManual)) {
    const auto match = client_.emplace(client()).create_match(config);
    ASSERT_TRUE(match.ok()) << match.status().message();
    match_id_ = match->match_id;
  }

  /// Runs ticks, each with a frame of every player and stage in the match.
  void step(std::uint32_t ticks = 1) {
    const auto stepped = client_->step_match(match_id_, ticks, true);
    ASSERT_TRUE(stepped.ok()) << stepped.status().message();
  }

  /// Runs ticks with the frames that have come so far.
  void run(std::uint32_t ticks = 1) {
    const auto stepped = client_->step_match(match_id_, ticks);
    ASSERT_TRUE(stepped.ok()) << stepped.status().message();
  }

  std::optional<Client> client_;
  std::string match_id_;
};

/// The events up to `tick`, which have not been polled.
inline std::vector<Event> events_through(Session& session, Tick tick) {
  EXPECT_TRUE(eventually([&] { return session.tick() >= tick; })) << session.error().message();
  return drain(session);
}

}  // namespace sweepd::test
