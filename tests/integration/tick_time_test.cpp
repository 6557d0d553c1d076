// SPDX-License-Identifier: MIT
//
// Protects time in the matches of a real server that is not given the time it needs: however long it stood
// still, it makes up for a few ticks at most, loses the others openly, and says how its matches keep time.
#include <sched.h>
#include <signal.h>

#include <fstream>
#include <thread>

#include "integration/support/server_fixture.h"

namespace sweepd::test::tick_time_test {
namespace {

using std::chrono::steady_clock;
using ::testing::HasSubstr;
using ::testing::Not;

class TicksOfAServer : public ServerTest {
 protected:
  static constexpr int kRateHz = 100;
  static constexpr int kCatchUpTicksMax = 2;

  void SetUp() override {
    start({"--loops", "1", "--catch-up-ticks-max", std::to_string(kCatchUpTicksMax)});
    client_.emplace(client());
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = kRateHz;
    match_id_ = client_->create_match(config)->match_id;
  }

  MatchInfo match() { return *client_->get_match(match_id_); }

  /// As the kernel sees it, between its name in parentheses and its parent's id.
  char process_state() {
    std::ifstream file("/proc/" + std::to_string(server().process().pid()) + "/stat");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    return text.at(text.rfind(')') + 2);
  }

  /// Returns for how long it stood still at least.
  std::chrono::duration<double> stop_for(std::chrono::milliseconds time) {
    server().process().signal(SIGSTOP);
    EXPECT_TRUE(eventually([&] { return process_state() == 'T'; }));
    const auto begin = steady_clock::now();
    std::this_thread::sleep_for(time);
    const auto end = steady_clock::now();
    server().process().signal(SIGCONT);
    return end - begin;
  }

  std::optional<Client> client_;
  std::string match_id_;
};

TEST_F(TicksOfAServer, AServerThatWasStoppedMakesUpForAFewTicksAndSaysHowManyItSkipped) {
  ASSERT_TRUE(eventually([&] { return match().tick >= 20; }));
  const auto begin = steady_clock::now();
  const MatchInfo before = match();
  const double still_s = stop_for(std::chrono::milliseconds(1500)).count();
  // What did not run is told.
  const double missed = still_s * kRateHz - 1 - (1 + kCatchUpTicksMax);
  MatchInfo after;
  ASSERT_TRUE(eventually([&] {
    after = match();
    return static_cast<double>(after.timing->ticks_skipped - before.timing->ticks_skipped) >= missed;
  }));
  const double passed_s = std::chrono::duration<double>(steady_clock::now() - begin).count();
  // A few more where the machine held the server up before and after, too: but no burst.
  constexpr int kSlackTicks = 20;
  EXPECT_LE(static_cast<double>(after.tick - before.tick), (passed_s - still_s) * kRateHz + kSlackTicks);
  EXPECT_GE(after.timing->lateness_max, std::chrono::seconds(1));
  const Tick tick = match().tick;
  EXPECT_TRUE(eventually([&] { return match().tick > tick + 20; })) << "and it goes on";
}

TEST_F(TicksOfAServer, SweepctlShowsHowMatchesKeepTime) {
  ASSERT_TRUE(eventually([&] { return match().timing->achieved_rate_hz > 0; }));
  const auto ls = run_sweepctl({"ls"});
  EXPECT_EQ(ls->wait(), 0) << ls->standard_error();
  EXPECT_THAT(ls->standard_output(), HasSubstr("ACHIEVED"));
  EXPECT_THAT(ls->standard_output(), HasSubstr("LATE P99"));
  const auto json = run_sweepctl({"ls", "--json"});
  EXPECT_THAT(json->standard_output(), HasSubstr("\"timing\":{\"achieved_rate_hz\":"));
}

TEST_F(TicksOfAServer, MatchesThatAreNotDueByTimeHaveNoTiming) {
  EXPECT_FALSE(client_->create_match(shooter_config(ClockKind::kManual))->timing);
  EXPECT_FALSE(client_->create_match(shooter_config(ClockKind::kLockstep))->timing);
}

/// Of this thread, and of the processes that it starts; as it was in the end.
class OneCore {
 public:
  OneCore() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core) {
      if (CPU_ISSET(core, &before_)) CPU_SET(core, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() { sched_setaffinity(0, sizeof before_, &before_); }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

 private:
  cpu_set_t before_{};
};

TEST(LoopsOfAServer, AreAsManyAsTheCoresThatItMayUse) {
  const OneCore one_core;
  ServerProcess server;
  server.process().signal(SIGTERM);
  EXPECT_EQ(server.process().wait(), 0);
  // Its log writes when it gets to it: all is there once it has ended.
  EXPECT_THAT(server.process().standard_error(), HasSubstr(" loops=1 "));
}

}  // namespace
}  // namespace sweepd::test::tick_time_test
