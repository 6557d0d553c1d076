// SPDX-License-Identifier: MIT
//
// Protects a server from its own files: a set of keys is what it says or it is refused with the key and the
// field at fault, no key can make more of its tickets than was meant, and no message has a secret in it.
#include "identity/key_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identity/strict_json.h"
#include "identity/ticket_issuer.h"
#include "keys/sample_keys.h"

namespace sweepd::identity::key_set_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Json public_json(Algorithm algorithm) {
  return (*parse_json_object(key_set_text(test::sample_key(algorithm))))["keys"][0];
}

std::string set_of(const Json& key) { return Json({{"keys", Json::array({key})}}).dump(); }

std::string fault_of(const std::string& text) {
  const auto set = KeySet::parse(text);
  return set.ok() ? "" : set.error().text;
}

/// What is said of the sample's public key where one member is another, or nothing where `value` is null.
std::string fault_with(Algorithm algorithm, const char* member, const Json& value) {
  Json key = public_json(algorithm);
  if (value.is_null()) {
    key.erase(member);
  } else {
    key[member] = value;
  }
  return fault_of(set_of(key));
}

TEST(KeySetTest, HasTheKeysOfItsTextByTheirIds) {
  const auto set = KeySet::parse(test::sample_key_set());
  ASSERT_TRUE(set.ok()) << set.error().text;
  EXPECT_EQ(set->keys().size(), 4u);
  for (const Algorithm algorithm : test::kSampleAlgorithms) {
    const TicketKey* key = set->find(name_of(algorithm));
    ASSERT_NE(key, nullptr);
    EXPECT_EQ(key->key.algorithm(), algorithm);
    EXPECT_THAT(key->scope.tenants, ElementsAre("", "arcade"));
  }
  EXPECT_EQ(set->find("eddsa"), nullptr);
  EXPECT_EQ(set->find(""), nullptr);
}

TEST(KeySetTest, WithoutKeysIsASetToo) {
  const auto set = KeySet::parse(R"({"keys":[]})");
  ASSERT_TRUE(set.ok());
  EXPECT_TRUE(set->keys().empty());
}

TEST(KeySetTest, AKeyOfWhichNothingIsSaidMakesNoOperatorAndNoModeratorAndHasOneTenant) {
  Json key = public_json(Algorithm::kEdDsa);
  key.erase("sweepd");
  const auto set = KeySet::parse(set_of(key));
  ASSERT_TRUE(set.ok());
  const KeyScope& scope = set->keys().front().scope;
  EXPECT_THAT(scope.roles, ElementsAre(PrincipalKind::kBackend, PrincipalKind::kStage, PrincipalKind::kPlayer,
                                       PrincipalKind::kObserver));
  EXPECT_THAT(scope.tenants, ElementsAre(""));
  EXPECT_TRUE(scope.issuers.empty());
}

TEST(KeySetTest, TheAlgorithmIsTheKeysAndFitsItsType) {
  for (const Algorithm algorithm : test::kSampleAlgorithms) {
    EXPECT_EQ(fault_of(set_of(public_json(algorithm))), "");
    EXPECT_THAT(fault_with(algorithm, "alg", nullptr), HasSubstr("alg")) << name_of(algorithm);
    EXPECT_THAT(fault_with(algorithm, "alg", "none"), HasSubstr("alg"));
    EXPECT_THAT(fault_with(algorithm, "alg", 7), HasSubstr("alg"));
    EXPECT_THAT(fault_with(algorithm, "kty", nullptr), HasSubstr("kty"));
    EXPECT_THAT(fault_with(algorithm, "kty", "ec"), HasSubstr("kty"));
    EXPECT_THAT(fault_with(algorithm, "kid", nullptr), HasSubstr("kid"));
    EXPECT_THAT(fault_with(algorithm, "kid", ""), HasSubstr("kid"));
    EXPECT_THAT(fault_with(algorithm, "kid", std::string(65, 'k')), HasSubstr("kid"));
    EXPECT_THAT(fault_with(algorithm, "kid", "a\x1b"), HasSubstr("kid"));
    for (const Algorithm other : test::kSampleAlgorithms) {
      if (other == algorithm) continue;
      EXPECT_NE(fault_with(algorithm, "alg", name_of(other)), "")
          << name_of(algorithm) << " as " << name_of(other);
    }
  }
  EXPECT_THAT(fault_with(Algorithm::kEs256, "crv", "P-384"), HasSubstr("crv"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "crv", nullptr), HasSubstr("crv"));
}

TEST(KeySetTest, PrivateNumbersHaveNoPlaceInIt) {
  for (const Algorithm algorithm : {Algorithm::kRs256, Algorithm::kEs256, Algorithm::kEdDsa}) {
    const std::string fault = fault_of(R"({"keys":[)" + test::sample_key_text(algorithm) + "]}");
    EXPECT_THAT(fault, AllOf(HasSubstr("keys[0]"), HasSubstr(name_of(algorithm)), HasSubstr("private")));
    EXPECT_THAT(fault_with(algorithm, "k", "AAAA"), HasSubstr("private"));
    EXPECT_THAT(fault_with(algorithm, "oth", Json::array()), HasSubstr("oth"));
  }
}

TEST(KeySetTest, NumbersAreWhatTheirTypeHas) {
  EXPECT_THAT(fault_with(Algorithm::kRs256, "n", nullptr), HasSubstr("n: is missing"));
  EXPECT_THAT(fault_with(Algorithm::kRs256, "e", "AQAB="), HasSubstr("e: must be base64url"));
  EXPECT_THAT(fault_with(Algorithm::kRs256, "e", ""), HasSubstr("e: must be base64url"));
  EXPECT_THAT(fault_with(Algorithm::kRs256, "e", 65537), HasSubstr("e: must be base64url"));
  EXPECT_THAT(fault_with(Algorithm::kRs256, "n", "AQAB"), HasSubstr("2048 to 8192 bits"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "y", "AQAB"), HasSubstr("y: does not belong"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "x", "AQAB"), HasSubstr("32 bytes"));
  EXPECT_THAT(fault_with(Algorithm::kHs256, "k", "c2hvcnQ"), HasSubstr("32 to 1024 bytes"));
}

TEST(KeySetTest, UseAndOperationsHaveToAllowIt) {
  EXPECT_EQ(fault_with(Algorithm::kEdDsa, "use", nullptr), "");
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "use", "enc"), HasSubstr("use"));
  EXPECT_EQ(fault_with(Algorithm::kEdDsa, "key_ops", {"verify"}), "");
  EXPECT_EQ(fault_with(Algorithm::kHs256, "key_ops", {"sign", "verify"}), "");
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "key_ops", {"sign"}), HasSubstr("key_ops"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "key_ops", Json::array()), HasSubstr("key_ops"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "key_ops", "verify"), HasSubstr("key_ops"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "key_ops", {"verify", "verify"}), HasSubstr("twice"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "key_ops", Json::array({1, "verify"})), HasSubstr("key_ops"));
}

TEST(KeySetTest, ABoundThatIsMisspeltIsNotIgnored) {
  const auto scope = [](const char* text) { return *parse_json_object(text); };
  EXPECT_EQ(fault_with(Algorithm::kEdDsa, "sweepd", scope("{}")), "");
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", scope(R"({"role":["player"]})")), HasSubstr("sweepd"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", scope(R"({"roles":["root"]})")),
              HasSubstr("sweepd.roles"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", scope(R"({"roles":["anonymous"]})")),
              HasSubstr("sweepd.roles"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", scope(R"({"roles":[]})")), HasSubstr("sweepd.roles"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", scope(R"({"issuers":[]})")),
              HasSubstr("sweepd.issuers"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", scope(R"({"issuers":[""]})")),
              HasSubstr("sweepd.issuers"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", scope(R"({"tenants":"arcade"})")),
              HasSubstr("sweepd.tenants"));
  EXPECT_THAT(fault_with(Algorithm::kEdDsa, "sweepd", "player"), HasSubstr("sweepd"));
}

TEST(KeySetTest, DuplicatesAndExcessAreRefused) {
  const Json key = public_json(Algorithm::kEdDsa);
  EXPECT_THAT(fault_of(Json({{"keys", Json::array({key, key})}}).dump()),
              AllOf(HasSubstr("keys[1]"), HasSubstr("EdDSA"), HasSubstr("twice")));
  EXPECT_THAT(fault_of(R"({"keys":[],"keys":[]})"), HasSubstr("twice"));
  EXPECT_THAT(fault_of(Json({{"keys", std::vector<Json>(65, key)}}).dump()), HasSubstr("64"));
  EXPECT_THAT(fault_of(R"({"keys":[)" + std::string(kKeySetBytesMax, ' ') + "]}"), HasSubstr("bytes"));
  for (const char* text :
       {"", "{}", "[]", R"({"keys":{}})", R"({"keys":[1]})", R"({"keys":[{}]})", R"({"keys":[)"}) {
    EXPECT_NE(fault_of(text), "") << text;
  }
}

TEST(KeySetTest, FaultsHaveNoSecretInThem) {
  const std::string secret =
      "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
  for (const char* broken :
       {R"(","x":1,"x":1}]})", R"("]})", R"(\","kty":"oct"}]})", R"(=","kty":"oct"}]})"}) {
    const std::string fault =
        fault_of(R"({"keys":[{"kid":"a","alg":"HS256","kty":"oct","k":")" + secret + broken);
    EXPECT_NE(fault, "");
    EXPECT_THAT(fault, Not(HasSubstr(secret.substr(0, 8))));
  }
}

TEST(KeySetTest, RevokesByAllThatARowGives) {
  const auto set = KeySet::parse(R"({"keys":[],"sweepd":{"revoked":[
      {"jti":"t1"}, {"iss":"game","sub":"ann"}, {"tenant":"","sub":"bob"}, {"tenant":"arcade","sub":"eve","jti":"t2"}]}})");
  ASSERT_TRUE(set.ok()) << set.error().text;
  EXPECT_TRUE(set->revokes({"any", "any", "any"}, "t1"));
  EXPECT_FALSE(set->revokes({"any", "any", "any"}, ""));
  EXPECT_TRUE(set->revokes({"game", "arcade", "ann"}, "x"));
  EXPECT_FALSE(set->revokes({"other", "arcade", "ann"}, "x"));
  EXPECT_TRUE(set->revokes({"game", "", "bob"}, ""));
  EXPECT_FALSE(set->revokes({"game", "arcade", "bob"}, ""));
  EXPECT_TRUE(set->revokes({"game", "arcade", "eve"}, "t2"));
  EXPECT_FALSE(set->revokes({"game", "arcade", "eve"}, "t3"));
}

TEST(KeySetTest, ARevocationThatWouldRevokeNothingOrEverythingIsRefused) {
  const auto with = [](const std::string& rows) { return fault_of(R"({"keys":[],"sweepd":)" + rows + "}"); };
  EXPECT_EQ(with(R"({"revoked":[]})"), "");
  for (const char* rows :
       {R"({"revoked":[{}]})", R"({"revoked":[{"iss":"game"}]})", R"({"revoked":[{"user":"ann"}]})",
        R"({"revoked":[{"sub":""}]})", R"({"revoked":[{"sub":1}]})", R"({"revoked":["ann"]})",
        R"({"revoked":{}})", R"({"revoke":[]})", R"({"revoked":[],"more":1})", "[]"}) {
    EXPECT_THAT(with(rows), HasSubstr("sweepd")) << rows;
  }
}

TEST(KeySetTest, APrivateKeyIsReadToSignAlone) {
  for (const Algorithm algorithm : test::kSampleAlgorithms) {
    const Jwk key = test::sample_key(algorithm);
    EXPECT_TRUE(parse_private_key(private_key_text(key)).ok());
    if (algorithm == Algorithm::kHs256) continue;
    const auto half = parse_private_key(public_json(algorithm).dump());
    ASSERT_FALSE(half.ok());
    EXPECT_THAT(half.error().text, HasSubstr("d: is missing"));
  }
}

TEST(KeySetTest, AKeyIsAddedAndWhatElseIsInTheSetStays) {
  const std::string before = R"({"comment":"ours","keys":[],"sweepd":{"revoked":[{"sub":"ann"}]}})";
  const auto after = with_key(before, test::sample_key(Algorithm::kEs256));
  ASSERT_TRUE(after.ok());
  EXPECT_THAT(*after, AllOf(HasSubstr("ours"), HasSubstr("ann"), Not(HasSubstr("\"d\""))));
  EXPECT_NE(KeySet::parse(*after)->find("ES256"), nullptr);
  const auto twice = with_key(*after, test::sample_key(Algorithm::kEs256));
  ASSERT_FALSE(twice.ok());
  EXPECT_THAT(twice.error().text, HasSubstr("twice"));
  EXPECT_FALSE(with_key("{}", test::sample_key(Algorithm::kEs256)).ok());
}

}  // namespace
}  // namespace sweepd::identity::key_set_test
