// SPDX-License-Identifier: MIT
//
// Protects the matches that run: a server that has had too much to do for a while takes no further ones, says
// so with figures, and takes them again when it has room. What its operator may set is checked.
#include <chrono>
#include <thread>

#include "integration/support/server_fixture.h"

namespace sweepd::test::overload_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Overload : public ServerTest {
 protected:
  void SetUp() override {
    start({"--loops", "1", "--loop-busy-max-percent", "5", "--loop-lateness-max-ms", "0", "--matches-max",
           "20000"});
    client_.emplace(client());
  }

  static MatchConfig busy_match() {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = 240;
    return config;
  }

  /// Creates matches, until there are too many of them for the server. Returns what it says then. A server
  /// takes seconds to see that it has too much to do: from some hundreds on it gets them one by one.
  Status fill() {
    constexpr std::size_t kMatchesAtOnce = 500;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (std::chrono::steady_clock::now() < give_up) {
      const auto match = client_->create_match(busy_match());
      if (!match.ok()) return match.status();
      match_ids_.push_back(match->match_id);
      if (match_ids_.size() >= kMatchesAtOnce) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return {};
  }

  std::optional<Client> client_;
  std::vector<std::string> match_ids_;
};

TEST_F(Overload, IsRefusedWithFiguresAndTheMatchesThatRunGoOn) {
  const Status status = fill();
  ASSERT_EQ(status.code(), ErrorCode::kResourceExhausted) << status.message();
  EXPECT_EQ(status.reason(), "SERVER_OVERLOADED");
  EXPECT_THAT(status.message(), AllOf(HasSubstr("limit 5%"), HasSubstr("--loop-busy-max-percent")));
  ASSERT_GT(match_ids_.size(), 1u) << "an idle server takes matches";
  const Tick tick = client_->get_match(match_ids_[0])->tick;
  EXPECT_TRUE(eventually([&] { return client_->get_match(match_ids_[0])->tick > tick; }));
}

TEST_F(Overload, ConcernsMatchesWhosePlayersWaitAndNotThoseWhoseTicksCanWait) {
  ASSERT_EQ(fill().reason(), "SERVER_OVERLOADED");
  EXPECT_TRUE(client_->create_match(shooter_config(ClockKind::kManual)).ok());
  EXPECT_EQ(client_->create_match(shooter_config(ClockKind::kLockstep)).status().reason(),
            "SERVER_OVERLOADED");
}

TEST_F(Overload, ABurstOfCreatesIsCountedByEstimatesBeforeAnyOfItIsMeasured) {
  int taken = 0;
  while (taken < 100 && client_->create_match(busy_match()).ok()) ++taken;
  EXPECT_GT(taken, 5) << "5% of a loop, at 0.4% each";
  EXPECT_LT(taken, 50);
}

TEST_F(Overload, IsOverWhenThereIsRoomAgain) {
  ASSERT_EQ(fill().reason(), "SERVER_OVERLOADED");
  for (const std::string& match_id : match_ids_) ASSERT_TRUE(client_->end_match(match_id).ok());
  EXPECT_TRUE(eventually(
      [&] {
        if (client_->create_match(busy_match()).ok()) return true;
        std::this_thread::sleep_for(std::chrono::seconds(1));  // Asking is work, too.
        return false;
      },
      std::chrono::seconds(120)));
}

TEST(OverloadOptions, BeyondTheirRangesAreUsageErrorsThatNameThem) {
  for (const auto& [option, value] : {std::pair<std::string, std::string>{"--loop-busy-max-percent", "0"},
                                      {"--loop-busy-max-percent", "101"},
                                      {"--loop-lateness-max-ms", "-1"},
                                      {"--loop-lateness-max-ms", "10001"},
                                      {"--catch-up-ticks-max", "65"},
                                      {"--catch-up-ticks-max", "few"}}) {
    TemporaryFolder folder;
    Process bad({required_environment("SWEEPD_BINARY"), option, value}, folder.path());
    EXPECT_EQ(bad.wait(), 2) << option << " " << value;
    EXPECT_THAT(bad.standard_error(), HasSubstr(option));
  }
}

}  // namespace
}  // namespace sweepd::test::overload_test
