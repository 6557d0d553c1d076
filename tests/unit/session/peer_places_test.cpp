// SPDX-License-Identifier: MIT
//
// Protects clients from one address that takes all the places for verifications.
#include "session/peer_places.h"

#include <gtest/gtest.h>

namespace sweepd::session::peer_places_test {
namespace {

TEST(PeerPlaces, AreCountedByAddress) {
  PeerPlaces places(2);
  EXPECT_TRUE(places.take("a"));
  EXPECT_TRUE(places.take("a"));
  EXPECT_FALSE(places.take("a"));
  EXPECT_TRUE(places.take("b"));
  places.give_back("a");
  EXPECT_TRUE(places.take("a"));
  EXPECT_FALSE(places.take("a"));
  EXPECT_FALSE(PeerPlaces(0).take("a"));
}

}  // namespace
}  // namespace sweepd::session::peer_places_test
