// SPDX-License-Identifier: MIT
//
// Protects the proof that who comes back is who left.
#include "runtime/match/reconnect_token.h"

#include <gtest/gtest.h>

#include <set>

namespace sweepd::runtime::reconnect_token_test {
namespace {

TEST(ReconnectToken, Has128BitsAndNoTwoAreEqual) {
  std::set<std::string> tokens;
  for (int i = 0; i < 1000; ++i) tokens.insert(ReconnectToken::random().bytes());
  EXPECT_EQ(tokens.size(), 1000u);
  EXPECT_EQ(tokens.begin()->size(), 16u);
}

TEST(ReconnectToken, IsThatOfItsOwnDigestAndNoOtherBytesAre) {
  const ReconnectToken token = ReconnectToken::random();
  const std::string bytes = token.bytes();
  const TokenDigest digest = token.digest();
  EXPECT_TRUE(ReconnectToken::is_of(bytes, digest));
  EXPECT_FALSE(ReconnectToken::is_of("", digest));
  EXPECT_FALSE(ReconnectToken::is_of(bytes + '\0', digest));
  EXPECT_FALSE(ReconnectToken::is_of(bytes.substr(0, 15), digest));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_FALSE(ReconnectToken::is_of(other, digest)) << i;
  }
}

TEST(ReconnectToken, CannotBeToldFromItsDigest) {
  const ReconnectToken token = ReconnectToken::random();
  const TokenDigest digest = token.digest();
  EXPECT_EQ(std::string(digest.begin(), digest.end()).find(token.bytes()), std::string::npos);
  EXPECT_FALSE(ReconnectToken::is_of({digest.data(), digest.size()}, digest));
  EXPECT_NE(ReconnectToken::random().digest(), digest);
}

TEST(ReconnectToken, NothingIsTheTokenOfASeatWithoutOne) {
  EXPECT_FALSE(ReconnectToken::is_of("", TokenDigest{}));
  EXPECT_FALSE(ReconnectToken::is_of(std::string(16, '\0'), TokenDigest{}));
}

}  // namespace
}  // namespace sweepd::runtime::reconnect_token_test
