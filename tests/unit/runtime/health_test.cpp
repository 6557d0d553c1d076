// SPDX-License-Identifier: MIT
//
// Protects the answer to "how are you": true, up to date, and told once per change to everybody who wants to
// know.
#include "runtime/telemetry/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace sweepd::runtime::health_test {
namespace {

using std::chrono::seconds;
using std::chrono::system_clock;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class HealthTest : public ::testing::Test {
 protected:
  /// Notes every change as "name failure".
  Health::Watch note_changes() {
    return health_.watch([this](const ComponentHealth& component) {
      changes_.push_back(component.name + " " + component.failure);
    });
  }

  system_clock::time_point now_{seconds(100)};
  Health health_{[this] { return now_; }};
  std::vector<std::string> changes_;
};

TEST_F(HealthTest, AComponentIsKnownOnceItHasToldHowItIs) {
  EXPECT_FALSE(health_.find("journal"));
  EXPECT_THAT(health_.components(), IsEmpty());
  health_.set_ok("journal");
  ASSERT_TRUE(health_.find("journal"));
  EXPECT_TRUE(health_.find("journal")->is_ok());
  EXPECT_EQ(health_.find("journal")->since, now_);
}

TEST_F(HealthTest, ListsComponentsByName) {
  health_.set_ok("server");
  health_.set_failing("journal", "disk full");
  const auto components = health_.components();
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(components[0].name, "journal");
  EXPECT_EQ(components[0].failure, "disk full");
  EXPECT_EQ(components[1].name, "server");
  EXPECT_TRUE(components[1].is_ok());
}

TEST_F(HealthTest, KnowsSinceWhenItFailsWhateverTheReasonIsByNow) {
  health_.set_ok("journal");
  now_ += seconds(10);
  const auto failed_at = now_;
  health_.set_failing("journal", "disk full");
  now_ += seconds(10);
  health_.set_failing("journal", "read-only");
  EXPECT_EQ(health_.find("journal")->since, failed_at);
  EXPECT_EQ(health_.find("journal")->failure, "read-only");
  now_ += seconds(10);
  health_.set_ok("journal");
  EXPECT_EQ(health_.find("journal")->since, now_);
}

TEST_F(HealthTest, TellsEveryChangeOnceAndInOrder) {
  const auto watch = note_changes();
  health_.set_ok("journal");
  health_.set_ok("journal");
  health_.set_failing("journal", "disk full");
  health_.set_failing("journal", "disk full");
  health_.set_failing("journal", "read-only");
  health_.set_ok("journal");
  EXPECT_THAT(changes_, ElementsAre("journal ", "journal disk full", "journal read-only", "journal "));
}

TEST_F(HealthTest, WhoIsToldCanAskHowItIsByNow) {
  std::string seen;
  const auto watch =
      health_.watch([&](const ComponentHealth& component) { seen = health_.find(component.name)->failure; });
  health_.set_failing("journal", "disk full");
  EXPECT_EQ(seen, "disk full");
}

TEST_F(HealthTest, TellsNobodyWhoHasGone) {
  {
    const auto watch = note_changes();
    health_.set_ok("journal");
  }
  health_.set_failing("journal", "disk full");
  EXPECT_THAT(changes_, ElementsAre("journal "));
  Health::Watch moved;
  {
    auto watch = note_changes();
    moved = std::move(watch);
  }
  health_.set_ok("journal");
  EXPECT_EQ(changes_.size(), 2u);
}

TEST_F(HealthTest, AWatchThatHasEndedIsInNoCallAnyMore) {
  std::atomic<bool> is_done = false;
  std::thread reporter([&] {
    for (int i = 0; !is_done; ++i) health_.set_failing("journal", std::to_string(i));
  });
  for (int i = 0; i < 200; ++i) {
    const auto alive = std::make_unique<std::string>("alive");
    const auto watch =
        health_.watch([text = alive.get()](const ComponentHealth&) { EXPECT_EQ(*text, "alive"); });
  }
  is_done = true;
  reporter.join();
}

}  // namespace
}  // namespace sweepd::runtime::health_test
