// SPDX-License-Identifier: MIT
//
// Protects those who play from those who were sent away, and those who were not from being taken for them.
#include "session/expulsions.h"

#include <gtest/gtest.h>

#include <string>

namespace sweepd::session::expulsions_test {
namespace {

const identity::Subject kAnn{.issuer = "game", .tenant = "", .name = "ann"};
const identity::Subject kAnnElsewhere{.issuer = "game", .tenant = "arcade", .name = "ann"};
const identity::Subject kBob{.issuer = "game", .tenant = "", .name = "bob"};

TEST(ExpulsionsTest, ABanIsOfASubjectForItsTime) {
  Expulsions expulsions;
  EXPECT_TRUE(expulsions.find_ban(kAnn, 100).ok());
  ASSERT_TRUE(expulsions.ban({kAnn, 160, "cheats"}, 100));
  const Status refusal = expulsions.find_ban(kAnn, 159);
  EXPECT_EQ(refusal.code(), Code::kPermissionDenied);
  EXPECT_EQ(reason_of(refusal), "BANNED");
  EXPECT_EQ(refusal.message(), "\"ann\" of \"game\" is banned for another 1 s: cheats");
  EXPECT_TRUE(expulsions.find_ban(kAnn, 160).ok());
  EXPECT_TRUE(expulsions.find_ban(kAnnElsewhere, 159).ok());
  EXPECT_TRUE(expulsions.find_ban(kBob, 159).ok());
  EXPECT_TRUE(expulsions.find_ban({}, 159).ok()) << "without tickets there are no subjects";
}

TEST(ExpulsionsTest, ALaterBanTakesThePlaceOfAnEarlierOneAndIsEndedOnce) {
  Expulsions expulsions;
  ASSERT_TRUE(expulsions.ban({kAnn, 200, ""}, 100));
  ASSERT_TRUE(expulsions.ban({kAnn, 150, ""}, 100));
  ASSERT_TRUE(expulsions.ban({kBob, 300, ""}, 100));
  EXPECT_EQ(expulsions.bans(100).size(), 2u);
  EXPECT_EQ(expulsions.bans(150).size(), 1u);
  EXPECT_TRUE(expulsions.unban(kBob, 150));
  EXPECT_FALSE(expulsions.unban(kBob, 150));
  EXPECT_FALSE(expulsions.unban(kAnn, 150)) << "its time is over";
  EXPECT_TRUE(expulsions.find_ban(kBob, 150).ok());
}

TEST(ExpulsionsTest, AFullTableTakesNoFurtherBanUntilOneIsOver) {
  Expulsions expulsions;
  for (std::size_t i = 0; i < Expulsions::kBansMax; ++i) {
    const identity::Subject subject{.issuer = "game", .tenant = "", .name = std::to_string(i)};
    ASSERT_TRUE(expulsions.ban({subject, i == 0 ? 150 : 200, ""}, 100));
  }
  EXPECT_FALSE(expulsions.ban({kAnn, 300, ""}, 100));
  EXPECT_TRUE(expulsions.find_ban(kAnn, 100).ok());
  EXPECT_TRUE(expulsions.ban({{.issuer = "game", .tenant = "", .name = "7"}, 400, ""}, 100)) << "again";
  EXPECT_TRUE(expulsions.ban({kAnn, 300, ""}, 150));
  EXPECT_EQ(reason_of(expulsions.find_ban(kAnn, 150)), "BANNED");
}

TEST(ExpulsionsTest, AKickIsOfThoseWhoWereThereAndOfTheMatchThatItNames) {
  Expulsions expulsions;
  const auto before = expulsions.version();
  expulsions.kick(kAnn, "m1");
  EXPECT_EQ(reason_of(expulsions.find(kAnn, "m1", before, 100)), "KICKED");
  EXPECT_TRUE(expulsions.find(kAnn, "m2", before, 100).ok());
  EXPECT_TRUE(expulsions.find(kBob, "m1", before, 100).ok());
  EXPECT_TRUE(expulsions.find_ban(kAnn, 100).ok()) << "may come back";
  const auto after = expulsions.version();
  EXPECT_NE(after, before);
  EXPECT_TRUE(expulsions.find(kAnn, "m1", after, 100).ok());
  expulsions.kick(kAnn, "");
  EXPECT_EQ(reason_of(expulsions.find(kAnn, "m2", after, 100)), "KICKED");
  EXPECT_TRUE(expulsions.find({}, "m2", 0, 100).ok());
}

TEST(ExpulsionsTest, TheOldestKickMakesRoom) {
  Expulsions expulsions;
  expulsions.kick(kBob, "");
  for (std::size_t i = 0; i < Expulsions::kKicksMax; ++i) expulsions.kick(kAnn, "");
  EXPECT_TRUE(expulsions.find(kBob, "", 0, 100).ok());
  EXPECT_EQ(reason_of(expulsions.find(kAnn, "", 0, 100)), "KICKED");
}

TEST(ExpulsionsTest, ABanEndsStreamsFromBeforeIt) {
  Expulsions expulsions;
  const auto before = expulsions.version();
  ASSERT_TRUE(expulsions.ban({kAnn, 200, ""}, 100));
  EXPECT_NE(expulsions.version(), before);
  EXPECT_EQ(reason_of(expulsions.find(kAnn, "m1", before, 100)), "BANNED");
}

}  // namespace
}  // namespace sweepd::session::expulsions_test
