// SPDX-License-Identifier: MIT
//
// Protects programs that are given a file for a key: what is none is refused, and no terminal is asked for
// anything.
#include "sweepd/replays.h"

#include <gtest/gtest.h>

#include <string>

namespace sweepd::public_key_test {
namespace {

TEST(PublicKey, ComesBackAsItWasWritten) {
  PublicKey key;
  key.bytes.fill(9);
  const auto back = PublicKey::from_pem(key.to_pem());
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, key);
}

TEST(PublicKey, WithAPasswordIsRefusedWithoutAskingForIt) {
  const std::string pem =
      "-----BEGIN PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\n"
      "DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\nMCowBQYDK2VwAyEA\n"
      "-----END PUBLIC KEY-----\n";
  ::testing::internal::CaptureStderr();
  const auto key = PublicKey::from_pem(pem);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(key.status().field(), "pem");
}

}  // namespace
}  // namespace sweepd::public_key_test
