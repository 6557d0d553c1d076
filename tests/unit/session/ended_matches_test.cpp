// SPDX-License-Identifier: MIT
//
// Protects the memory of matches that have ended: each is found, what is kept is bounded, and a creator that
// ends one match after the other forgets its own and not those of others.
#include "session/ended_matches.h"

#include <gtest/gtest.h>

#include <string>

namespace sweepd::session::ended_matches_test {
namespace {

EndedMatches::Ended of(const std::string& creator, std::size_t bytes = 10) {
  return {.match = std::string(bytes, 'm'), .creator = creator, .secret_roles = {}, .owners = {}};
}

TEST(EndedMatches, AreFoundWithWhatWasKept) {
  EndedMatches matches;
  matches.add("one", of("studio", 7));
  ASSERT_NE(matches.find("one"), nullptr);
  EXPECT_EQ(matches.find("one")->match, "mmmmmmm");
  EXPECT_EQ(matches.find("one")->creator.text(), "studio");
  EXPECT_EQ(matches.find("two"), nullptr);
}

TEST(EndedMatches, OfACreatorWithManyMakeRoomForThoseOfOthers) {
  EndedMatches matches;
  matches.add("quiet", of("quiet"));
  for (int i = 0; i < 3'000; ++i) matches.add("busy " + std::to_string(i), of("busy"));
  EXPECT_EQ(matches.size(), EndedMatches::kMatchesMax);
  EXPECT_NE(matches.find("quiet"), nullptr);
  EXPECT_EQ(matches.find("busy 0"), nullptr);
  EXPECT_NE(matches.find("busy 2999"), nullptr);
}

TEST(EndedMatches, TakeNoMoreBytesThanTheBound) {
  EndedMatches matches;
  matches.add("quiet", of("quiet"));
  for (int i = 0; i < 40; ++i) matches.add("large " + std::to_string(i), of("busy", std::size_t{1} << 20));
  EXPECT_LT(matches.size(), 18u);
  EXPECT_NE(matches.find("quiet"), nullptr);
  matches.add("too large", of("busy", EndedMatches::kBytesMax));
  EXPECT_EQ(matches.find("too large"), nullptr);
  EXPECT_NE(matches.find("large 39"), nullptr) << "it has pushed out nothing";
}

TEST(EndedMatches, OfOneIdAreOne) {
  EndedMatches matches;
  matches.add("one", of("studio", 1));
  matches.add("one", of("studio", 2));
  EXPECT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches.find("one")->match.size(), 2u);
}

}  // namespace
}  // namespace sweepd::session::ended_matches_test
