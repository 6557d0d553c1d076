// SPDX-License-Identifier: MIT
//
// Protects the ring that logs keep their bytes in: whatever comes and goes, it has exactly what has not gone,
// and gives back what a burst has taken.
#include "base/byte_ring.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/dice.h"

namespace sweepd::base::byte_ring_test {
namespace {

TEST(ByteRing, HasWhatHasNotGoneWhateverComesAndGoes) {
  Dice dice(7);
  ByteRing ring;
  std::string expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::string bytes(static_cast<std::size_t>(dice.between(0, 40)), static_cast<char>(i));
    ring.append(bytes);
    expected += bytes;
    const auto most = static_cast<std::int32_t>(std::min<std::size_t>(expected.size(), 42));
    const auto gone = static_cast<std::size_t>(dice.between(0, most));
    ring.drop(gone);
    expected.erase(0, gone);
    ASSERT_EQ(ring.size(), expected.size());
    const auto offset = static_cast<std::size_t>(dice.between(0, static_cast<std::int32_t>(expected.size())));
    ASSERT_EQ(ring.copy(offset, 60), expected.substr(offset, 60));
  }
}

TEST(ByteRing, GivesBackWhatABurstHasTaken) {
  ByteRing ring;
  for (int i = 0; i < 1000; ++i) ring.append(std::string(100, 'x'));
  EXPECT_GE(ring.capacity(), 100'000u);
  EXPECT_LE(ring.capacity(), 104'000u) << "little more than it needs";
  ring.drop(99'000);
  EXPECT_LE(ring.capacity(), 3'000u);
  EXPECT_EQ(ring.copy(0, 5000), std::string(1000, 'x'));
  ring.drop(1000);
  EXPECT_EQ(ring.size(), 0u);
  ring.append("ab");
  EXPECT_EQ(ring.copy(0, 2), "ab");
}

TEST(ByteRing, TakesNoMoreMemoryWhileAsMuchGoesAsComes) {
  ByteRing ring;
  for (int i = 0; i < 100; ++i) ring.append("0123456789");
  ring.drop(10);
  const std::size_t capacity = ring.capacity();
  for (int i = 0; i < 10'000; ++i) {
    ring.append("0123456789");
    ring.drop(10);
    ASSERT_EQ(ring.capacity(), capacity);
  }
}

}  // namespace
}  // namespace sweepd::base::byte_ring_test
