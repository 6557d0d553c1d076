// SPDX-License-Identifier: MIT
//
// Protects the machine from a server that takes all its memory: near the ceiling nothing new is taken, at it
// memory is freed, and either ends when there is room.
#include "runtime/budgets/memory_guard.h"

#include <gtest/gtest.h>

#include <vector>

namespace sweepd::runtime::memory_guard_test {
namespace {

constexpr std::uint64_t kMax = 1000;

TEST(MemoryGuard, RefusesFromNineTenthsOnUntilThereIsRoomAgain) {
  std::uint64_t bytes = 0;
  MemoryGuard guard(kMax, [&bytes] { return bytes; });
  const auto is_full_at = [&](std::uint64_t now) {
    bytes = now;
    guard.measure();
    return guard.is_full();
  };
  EXPECT_FALSE(is_full_at(899));
  EXPECT_TRUE(is_full_at(900));
  EXPECT_TRUE(is_full_at(860)) << "not to and fro";
  EXPECT_FALSE(is_full_at(849));
  EXPECT_EQ(guard.bytes(), 849u);
}

TEST(MemoryGuard, FreesMemoryBeforeARiseReachesTheCeiling) {
  std::uint64_t bytes = 500;
  int calls = 0;
  MemoryGuard guard(kMax, [&bytes] { return bytes; });
  guard.on_ceiling([&calls] { ++calls; });
  guard.measure();
  bytes = 530;
  guard.measure();
  EXPECT_EQ(calls, 0) << "that is slow";
  bytes = 680;
  guard.measure();
  EXPECT_EQ(calls, 1);
  guard.measure();
  EXPECT_EQ(calls, 1) << "it does not rise";
}

TEST(MemoryGuard, FreesMemoryAboveTheCeilingOnceWhatIsFreeIsReturned) {
  int calls = 0;
  MemoryGuard guard(kMax, [] { return 920; });
  guard.on_ceiling([&calls] { ++calls; });
  TimePoint now = steady_now();
  for (int i = 0; i < 10; ++i) guard.measure(now);
  EXPECT_EQ(calls, 1);
  guard.measure(now + std::chrono::seconds(1));
  EXPECT_EQ(calls, 2);
}

TEST(MemoryGuard, SeesWhatTheProcessHas) {
  const std::uint64_t before = MemoryGuard::resident_bytes();
  EXPECT_GT(before, std::uint64_t{1} << 20);
  const std::vector<char> more(64 << 20, 'a');
  EXPECT_GT(MemoryGuard::resident_bytes(), before + (std::uint64_t{60} << 20));
}

}  // namespace
}  // namespace sweepd::runtime::memory_guard_test
