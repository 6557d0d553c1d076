// SPDX-License-Identifier: MIT
//
// Protects every door that asks for a ticket: signatures are those of the RFCs, made and checked, a key is
// what its numbers say, and what is no key and no signature is refused, not a crash.
#include "identity/crypto.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include "identity/base64url.h"
#include "keys/sample_keys.h"

namespace sweepd::identity::crypto_test {
namespace {

using test::kSampleAlgorithms;
using test::sample_key;

struct Vector {
  Algorithm algorithm;
  std::string signed_text;
  std::string signature;
};

const std::string kClaims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

/// RFC 7515, A.1 to A.3, and RFC 8037, A.4.
const Vector kVectors[] = {
    {Algorithm::kHs256, "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + kClaims,
     "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"},
    {Algorithm::kRs256, "eyJhbGciOiJSUzI1NiJ9." + kClaims,
     "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
     "O8W2Fp5jujGbds9uJdb"
     "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_"
     "eSN9383"
     "LcOLn6_dO--xi12jzDwusC-"
     "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWy"
     "wlVmtVrBp0igcN_IoypGlUPQGe77Rw"},
    {Algorithm::kEs256, "eyJhbGciOiJFUzI1NiJ9." + kClaims,
     "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"},
    {Algorithm::kEdDsa, "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
     "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"},
};

Key public_key(Algorithm algorithm) {
  KeyNumbers numbers = sample_key(algorithm).numbers;
  if (algorithm != Algorithm::kHs256) numbers = public_half(numbers);
  return *Key::from(algorithm, numbers);
}

Key private_key(Algorithm algorithm) { return *Key::from(algorithm, sample_key(algorithm).numbers); }

class CryptoTest : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(ERR_peek_error(), 0u) << "a later call would be taken to have failed";
  }
};

TEST_F(CryptoTest, TheSignaturesOfTheRfcsAreRight) {
  for (const Vector& vector : kVectors) {
    const std::string signature = *from_base64url(vector.signature);
    EXPECT_TRUE(public_key(vector.algorithm).verifies(vector.signed_text, signature))
        << name_of(vector.algorithm);
    EXPECT_FALSE(public_key(vector.algorithm).verifies(vector.signed_text + "x", signature));
  }
}

TEST_F(CryptoTest, TheSameSignaturesAreMadeWhereTheAlgorithmLeavesNoChoice) {
  for (const Vector& vector : kVectors) {
    const auto signature = private_key(vector.algorithm).sign(vector.signed_text);
    ASSERT_TRUE(signature) << name_of(vector.algorithm);
    EXPECT_TRUE(public_key(vector.algorithm).verifies(vector.signed_text, *signature));
    if (vector.algorithm != Algorithm::kEs256) {
      EXPECT_EQ(to_base64url(*signature), vector.signature);
    } else {
      EXPECT_EQ(signature->size(), 64u);
    }
  }
}

TEST_F(CryptoTest, AnyChangeOfABitOrOfTheLengthOfASignatureMakesItWrong) {
  for (const Vector& vector : kVectors) {
    const Key key = public_key(vector.algorithm);
    const std::string right = *from_base64url(vector.signature);
    for (std::size_t i = 0; i < right.size() * 8; ++i) {
      std::string wrong = right;
      wrong[i / 8] = static_cast<char>(wrong[i / 8] ^ (1 << i % 8));
      ASSERT_FALSE(key.verifies(vector.signed_text, wrong)) << name_of(vector.algorithm) << " bit " << i;
    }
    EXPECT_FALSE(key.verifies(vector.signed_text, ""));
    EXPECT_FALSE(key.verifies(vector.signed_text, right + '\0'));
    EXPECT_FALSE(key.verifies(vector.signed_text, '\0' + right));
    EXPECT_FALSE(key.verifies(vector.signed_text, right.substr(1)));
    EXPECT_FALSE(key.verifies(vector.signed_text, std::string(right.size(), '\0')));
    EXPECT_FALSE(key.verifies(vector.signed_text, std::string(right.size(), '\xff')));
  }
}

TEST_F(CryptoTest, AKeyThatOnlyVerifiesDoesNotSign) {
  for (const Algorithm algorithm : {Algorithm::kRs256, Algorithm::kEs256, Algorithm::kEdDsa}) {
    EXPECT_FALSE(public_key(algorithm).sign("text")) << name_of(algorithm);
  }
}

TEST_F(CryptoTest, NewKeysSignAndTheirPublicHalvesVerify) {
  for (const Algorithm algorithm : kSampleAlgorithms) {
    const auto numbers = generate_key(algorithm);
    ASSERT_TRUE(numbers) << name_of(algorithm);
    EXPECT_TRUE(is_private(*numbers));
    const auto key = Key::from(algorithm, *numbers);
    ASSERT_TRUE(key) << name_of(algorithm);
    const std::string signature = *key->sign("text");
    const KeyNumbers half = algorithm == Algorithm::kHs256 ? *numbers : public_half(*numbers);
    EXPECT_TRUE(Key::from(algorithm, half)->verifies("text", signature)) << name_of(algorithm);
    EXPECT_FALSE(public_key(algorithm).verifies("text", signature)) << "that is another key";
  }
}

TEST_F(CryptoTest, PrivateNumbersOfAnotherKeyAreRefused) {
  for (const Algorithm algorithm : {Algorithm::kRs256, Algorithm::kEs256, Algorithm::kEdDsa}) {
    KeyNumbers numbers = *generate_key(algorithm);
    const KeyNumbers sample = sample_key(algorithm).numbers;
    numbers.n = sample.n;
    numbers.x = sample.x;
    numbers.y = sample.y;
    EXPECT_FALSE(Key::from(algorithm, numbers)) << name_of(algorithm);
  }
}

TEST_F(CryptoTest, WhatIsNoKeyIsRefused) {
  const KeyNumbers rsa = public_half(sample_key(Algorithm::kRs256).numbers);
  const auto rsa_with = [&rsa](const std::string& n, const std::string& e) {
    KeyNumbers numbers = rsa;
    numbers.n = n;
    numbers.e = e;
    return Key::from(Algorithm::kRs256, numbers).has_value();
  };
  EXPECT_TRUE(rsa_with(rsa.n, "\x03"));
  EXPECT_FALSE(rsa_with(rsa.n.substr(1), rsa.e)) << "2040 bits";
  EXPECT_FALSE(rsa_with(rsa.n + std::string(1024, '\1'), rsa.e)) << "more than 8192 bits";
  EXPECT_FALSE(rsa_with(std::string(256, '\0'), rsa.e));
  EXPECT_FALSE(rsa_with("", rsa.e));
  EXPECT_FALSE(rsa_with(rsa.n, ""));
  EXPECT_FALSE(rsa_with(rsa.n, "\x01"));
  EXPECT_FALSE(rsa_with(rsa.n, std::string("\0\x01", 2)));
  EXPECT_FALSE(rsa_with(rsa.n, "\x02"));
  EXPECT_FALSE(rsa_with(rsa.n, std::string(9, '\x03'))) << "a long exponent";

  KeyNumbers ec = public_half(sample_key(Algorithm::kEs256).numbers);
  ec.y.back() = static_cast<char>(ec.y.back() ^ 1);
  EXPECT_FALSE(Key::from(Algorithm::kEs256, ec)) << "not on the curve";
  ec.y.pop_back();
  EXPECT_FALSE(Key::from(Algorithm::kEs256, ec));
  EXPECT_FALSE(Key::from(Algorithm::kEdDsa, {.x = std::string(31, 'x')}));
  EXPECT_FALSE(Key::from(Algorithm::kHs256, {.k = std::string(31, 'k')}));
  EXPECT_TRUE(Key::from(Algorithm::kHs256, {.k = std::string(32, 'k')}));
  EXPECT_FALSE(Key::from(Algorithm::kHs256, {.k = std::string(1025, 'k')}));
  for (const Algorithm algorithm : kSampleAlgorithms) EXPECT_FALSE(Key::from(algorithm, {}));
}

TEST_F(CryptoTest, NamesOfAlgorithmsAreThoseOfJwsAndNoneIsNone) {
  for (const Algorithm algorithm : kSampleAlgorithms)
    EXPECT_EQ(algorithm_named(name_of(algorithm)), algorithm);
  for (const char* name : {"none", "None", "", "hs256", "HS384", "ES256K", "PS256", "HS256 "}) {
    EXPECT_EQ(algorithm_named(name), std::nullopt) << name;
  }
}

TEST_F(CryptoTest, SumsAndChance) {
  EXPECT_EQ(to_base64url(*sha256("abc")), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  EXPECT_EQ(random_bytes(16)->size(), 16u);
  EXPECT_NE(*random_bytes(16), *random_bytes(16));
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abcd"));
}

TEST(Base64UrlTest, EachSequenceOfBytesHasOneText) {
  const std::pair<std::string, std::string> kPairs[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff\xfe", "-__-"},
  };
  for (const auto& [bytes, text] : kPairs) {
    EXPECT_EQ(to_base64url(bytes), text);
    EXPECT_EQ(from_base64url(text), bytes);
  }
  for (const char* text :
       {"Zg==", "Zg=", "Zh", "Zm9", "Z", "Zm9vY", "+__-", "/__-", " Zg", "Zg\n", "Z g", "Zg.", "Z\xc3g"}) {
    EXPECT_EQ(from_base64url(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace sweepd::identity::crypto_test
