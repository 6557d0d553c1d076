// SPDX-License-Identifier: MIT
//
// Protects the proof that who comes back is who left.
#include "runtime/reconnect_token.h"

#include <gtest/gtest.h>

#include <set>

namespace sweepd::runtime {
namespace {

TEST(ReconnectToken, Has128BitsAndNoTwoAreEqual) {
  std::set<std::string> tokens;
  for (int i = 0; i < 1000; ++i) tokens.insert(ReconnectToken::random().bytes());
  EXPECT_EQ(tokens.size(), 1000u);
  EXPECT_EQ(tokens.begin()->size(), 16u);
}

TEST(ReconnectToken, EqualsItsOwnBytesAndNothingElse) {
  const ReconnectToken token = ReconnectToken::random();
  const std::string bytes = token.bytes();
  EXPECT_TRUE(token.equals(bytes));
  EXPECT_FALSE(token.equals(""));
  EXPECT_FALSE(token.equals(bytes + '\0'));
  EXPECT_FALSE(token.equals(bytes.substr(0, 15)));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_FALSE(token.equals(other)) << i;
  }
}

}  // namespace
}  // namespace sweepd::runtime
