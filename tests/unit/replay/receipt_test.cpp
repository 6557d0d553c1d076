// SPDX-License-Identifier: MIT
//
// Protects: a receipt holds for exactly what it was made over, and for no other key; its bytes and the keys'
// texts are what others read and write.
#include "replay/receipt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "recordings/random_match.h"
#include "replay/file_format.h"
#include "replay/sha256.h"

namespace sweepd::replay::receipt_test {
namespace {

// Test 3 of RFC 8032, 7.1, in the forms that OpenSSL writes.
constexpr const char* kPrivatePem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3\n"
    "-----END PRIVATE KEY-----\n";

Head some_head() {
  Head head;
  head.engine_version = "0.1.0";
  head.digest_version = 1;
  head.match_id = "abc";
  head.nonce = "nonce";
  head.config_digest = sha256({"config"});
  return head;
}

Ending some_ending() {
  Ending ending;
  ending.tick_count = 600;
  ending.final_digest = 0x0123456789abcdef;
  ending.scores = {{0, "ann", -5, false}, {1, "bob", 7, true}};
  ending.cast.participants = {{"ann", match::Role::kPlayer, 0}, {"bob", match::Role::kStage, 1}};
  return ending;
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    for (const int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  }
  return text;
}

TEST(Keys, SignAsTheStandardSays) {
  const auto key = SigningKey::from_pem(kPrivatePem);
  ASSERT_TRUE(key);
  const PublicKey public_key = key->public_key();
  EXPECT_EQ(hex({reinterpret_cast<const char*>(public_key.bytes.data()), 32}),
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025");
  const Signature signature = key->sign("\xaf\x82");
  EXPECT_EQ(hex({reinterpret_cast<const char*>(signature.data()), 64}),
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a");
  EXPECT_TRUE(public_key.verifies("\xaf\x82", signature));
  EXPECT_FALSE(public_key.verifies("\xaf\x83", signature));
}

TEST(Keys, ComeBackFromTheirTexts) {
  const SigningKey key = SigningKey::generate();
  EXPECT_NE(key.public_key(), SigningKey::generate().public_key());
  const auto again = SigningKey::from_pem(key.to_pem());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->public_key(), key.public_key());
  EXPECT_EQ(again->sign("x"), key.sign("x"));
  EXPECT_EQ(SigningKey::from_pem(kPrivatePem)->to_pem(), kPrivatePem);
  EXPECT_EQ(PublicKey::from_pem(key.public_key().to_pem()), key.public_key());
  EXPECT_THAT(key.public_key().to_pem(), ::testing::StartsWith("-----BEGIN PUBLIC KEY-----\n"));
}

TEST(Keys, OfAnotherKindAreNone) {
  // An X25519 key, made by `openssl genpkey`.
  constexpr const char* kOther =
      "-----BEGIN PRIVATE KEY-----\n"
      "MC4CAQAwBQYDK2VuBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3\n"
      "-----END PRIVATE KEY-----\n";
  EXPECT_FALSE(SigningKey::from_pem(kOther));
  EXPECT_FALSE(SigningKey::from_pem(""));
  EXPECT_FALSE(SigningKey::from_pem(SigningKey::generate().public_key().to_pem()));
  EXPECT_FALSE(PublicKey::from_pem(kPrivatePem));
  EXPECT_FALSE(PublicKey::from_pem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"));
}

TEST(Receipt, IsOverTheBytesThatItsHeaderDescribes) {
  const std::string expected =
      "sweepd receipt 1\n" + std::string("\3\0\0\0abc", 7) + sha256({"config"}) + std::string("\5\0\0\0", 4) +
      "0.1.0" + std::string("\1\0\0\0\5\0\0\0nonce", 13) + std::string("\1\x58\2\0\0\0\0\0\0", 9) +
      "\xef\xcd\xab\x89\x67\x45\x23\x01" + std::string("\2\0\0\0", 4) +
      std::string("\0\0\0\0\1\3\0\0\0ann", 12) + std::string("\1\0\0\0\2\3\0\0\0bob", 12) +
      std::string(8, '\0') + std::string("\2\0\0\0", 4) +
      std::string("\0\0\0\0\0\xfb\xff\xff\xff\xff\xff\xff\xff\3\0\0\0ann", 20) +
      std::string("\1\0\0\0\1\7\0\0\0\0\0\0\0\3\0\0\0bob", 20);
  EXPECT_EQ(hex(receipt_bytes(some_head(), some_ending())), hex(expected));
}

const std::string kRecords = sha256({"records"});

using Change = std::function<void(Head&, Ending&)>;

/// What receipts of either version are over.
std::vector<Change> changes_of_both() {
  return {
      [](Head& h, Ending&) { h.match_id = "abd"; },
      [](Head& h, Ending&) { h.config_digest = sha256({"other"}); },
      [](Head& h, Ending&) { h.engine_version = "0.1.1"; },
      [](Head& h, Ending&) { h.digest_version ^= 3; },
      [](Head& h, Ending&) { h.nonce = "Nonce"; },
      [](Head&, Ending& e) { e.reason = EndReason::kCut; },
      [](Head&, Ending& e) { e.tick_count = 601; },
      [](Head&, Ending& e) { e.final_digest ^= 1; },
      [](Head&, Ending& e) { e.scores[0].score = 5; },
      [](Head&, Ending& e) { e.scores[0].name = "bnn"; },
      [](Head&, Ending& e) { e.scores[1].has_left = false; },
      [](Head&, Ending& e) { e.scores[1].participant = 2; },
      [](Head&, Ending& e) { e.scores.pop_back(); },
      [](Head&, Ending& e) { e.cast.participants[0].number = 3; },
      [](Head&, Ending& e) { e.cast.participants[0].role = match::Role::kStage; },
      [](Head&, Ending& e) { e.cast.participants.pop_back(); },
      [](Head&, Ending& e) { e.cast.omitted = 1; },
  };
}

/// And what came with version 2.
std::vector<Change> changes_of_statements() {
  std::vector<Change> changes = changes_of_both();
  const std::vector<Change> later = {
      [](Head& h, Ending&) { h.rules_digest = sha256({"easier"}); },
      [](Head& h, Ending&) { h.rules_name = "official"; },
      [](Head& h, Ending&) { h.creator.name = "eve"; },
      [](Head& h, Ending&) { h.creator.issuer = "eve"; },
      [](Head& h, Ending&) { h.creator = {}; },
      [](Head& h, Ending&) { ++h.create_time_unix_ms; },
      [](Head&, Ending& e) { ++e.timeline.start_unix_ms; },
      [](Head&, Ending& e) { --e.timeline.end_unix_ms; },
      [](Head&, Ending& e) { e.timeline.changes.pop_back(); },
      [](Head&, Ending& e) { ++e.timeline.changes[0].tick; },
      [](Head&, Ending& e) { ++e.timeline.changes[0].unix_ms; },
      [](Head&, Ending& e) { e.timeline.changes[0].tick_rate_hz = 60; },
      [](Head&, Ending& e) { e.timeline.changes[0].is_paused = true; },
      [](Head&, Ending& e) { e.timeline.changes[0].is_restart = true; },
      [](Head&, Ending& e) { ++e.timeline.changes_omitted; },
      [](Head&, Ending& e) { e.cast.holders[0].subject.name = "alice"; },
      [](Head&, Ending& e) { e.cast.holders[0].number = 1; },
      [](Head&, Ending& e) { e.cast.holders.clear(); },
      [](Head&, Ending& e) { ++e.cast.holders_omitted; },
  };
  changes.insert(changes.end(), later.begin(), later.end());
  return changes;
}

Head later_head() {
  Head head = some_head();
  head.digest_version = 2;
  head.rules_digest = sha256({"rules"});
  head.creator = {"studio", "https://tickets.example", "eu"};
  head.create_time_unix_ms = 1'700'000'000'000;
  return head;
}

Ending later_ending() {
  Ending ending = some_ending();
  ending.timeline = {.start_unix_ms = 1'700'000'001'000, .end_unix_ms = 1'700'000'011'000};
  ending.timeline.note({300, 1'700'000'006'000, false, 10, false});
  ending.cast.note(SeatHolder{0, "ann", {"ann@example", "issuer", ""}});
  return ending;
}

// Else joins under other names push out of the receipt who scored.
TEST(Cast, ForgetsHoldersWhoLeftWithoutAScoreFirst) {
  recordings::RandomMatch random(7);
  while (random.match().tick() < 200) random.play_tick();
  const std::vector<match::Score> rows = scores_of(random.match());
  const auto former = std::ranges::find_if(rows, &match::Score::has_left);
  ASSERT_NE(former, rows.end());
  ASSERT_FALSE(rows.front().has_left);
  Cast cast;
  const auto holder_of = [](const match::Score& row) {
    return SeatHolder{row.participant, row.name, {"ann@example", "", ""}};
  };
  EXPECT_TRUE(cast.note(holder_of(*former), random.match()));
  EXPECT_TRUE(cast.note(holder_of(rows.front()), random.match()));
  const auto other = [](std::size_t i) {
    return SeatHolder{1, "x" + std::to_string(i), {"mallory@example", "", ""}};
  };
  for (std::size_t i = 0; i < kSeatHoldersListedMax + 76; ++i)
    EXPECT_TRUE(cast.note(other(i), random.match()));
  EXPECT_EQ(cast.holders.size(), kSeatHoldersListedMax);
  EXPECT_EQ(cast.holders[0], holder_of(*former));
  EXPECT_EQ(cast.holders[1], holder_of(rows.front()));
  EXPECT_EQ(cast.holders.back(), other(kSeatHoldersListedMax + 75));
  EXPECT_EQ(cast.holders_omitted, 0u);
  EXPECT_FALSE(cast.note(holder_of(*former), random.match())) << "it is there";
}

TEST(Cast, CountsHoldersForWhomOthersMakeNoRoom) {
  Cast cast;
  const auto match = match::Match::create(recordings::random_match_config(7));
  for (std::size_t i = 0; i < kSeatHoldersListedMax; ++i) {
    const std::string name = "x" + std::to_string(i);
    cast.note(SeatHolder{0, name, {"mallory@example", "", ""}});
  }
  EXPECT_FALSE(cast.note(SeatHolder{0, "ann", {"ann@example", "", ""}}));
  EXPECT_EQ(cast.holders_omitted, 1u);
  EXPECT_TRUE(cast.note(SeatHolder{0, "ann", {"ann@example", "", ""}}, **match)) << "no one sits anywhere";
}

void expect_to_hold_for_nothing_else(const Head& head, const Ending& ending,
                                     const std::vector<Change>& changes) {
  const SigningKey key = SigningKey::generate();
  const PublicKey own = key.public_key();
  const Receipt receipt = sign_receipt(key, {head, ending, kRecords});
  EXPECT_TRUE(check_receipt(receipt, own, {head, ending, kRecords}));
  EXPECT_FALSE(check_receipt(receipt, SigningKey::generate().public_key(), {head, ending, kRecords}));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Head other_head = head;
    Ending other_ending = ending;
    changes[i](other_head, other_ending);
    EXPECT_FALSE(check_receipt(receipt, own, {other_head, other_ending, kRecords})) << "change " << i;
  }
}

TEST(Receipt, HoldsForExactlyWhatItWasMadeOver) {
  expect_to_hold_for_nothing_else(some_head(), some_ending(), changes_of_both());
  expect_to_hold_for_nothing_else(later_head(), later_ending(), changes_of_statements());
}

TEST(Receipt, OfVersion2HoldsForOneChainOfRecordsOnly) {
  const SigningKey key = SigningKey::generate();
  const Receipt receipt = sign_receipt(key, {later_head(), later_ending(), kRecords});
  EXPECT_EQ(receipt.version(), 2u);
  const std::string others = sha256({"other records"});
  EXPECT_FALSE(check_receipt(receipt, key.public_key(), {later_head(), later_ending(), others}));
}

// Version 1 would do for a replay with other inputs.
TEST(Receipt, OfTheWeakerVersionIsNoneForALaterMatch) {
  const SigningKey key = SigningKey::generate();
  const Head head = later_head();
  const Ending ending = later_ending();
  Receipt weak{key.public_key(), key.sign(receipt_bytes(head, ending)), {}};
  EXPECT_FALSE(check_receipt(weak, key.public_key(), {head, ending, kRecords}));
  Receipt strong = sign_receipt(key, {head, ending, kRecords});
  const Head first = some_head();
  EXPECT_FALSE(check_receipt(strong, key.public_key(), {first, ending, kRecords}));
}

TEST(Receipt, IsNoneWithAnyByteOfItsStatementChanged) {
  const SigningKey key = SigningKey::generate();
  const Head head = later_head();
  const Ending ending = later_ending();
  const Receipt receipt = sign_receipt(key, {head, ending, kRecords});
  for (std::size_t i = 0; i < receipt.statement.size(); ++i) {
    Receipt other = receipt;
    other.statement[i] ^= 1;
    EXPECT_FALSE(check_receipt(other, key.public_key(), {head, ending, kRecords})) << i;
  }
  Receipt other = receipt;
  other.statement += receipt.statement;
  EXPECT_FALSE(check_receipt(other, key.public_key(), {head, ending, kRecords}));
}

TEST(Receipt, NamesItsKeyByTheKeysDigest) {
  const auto key = SigningKey::from_pem(kPrivatePem);
  const PublicKey own = key->public_key();
  const std::string digest = sha256({{reinterpret_cast<const char*>(own.bytes.data()), own.bytes.size()}});
  EXPECT_EQ(key_id(own), hex(digest.substr(0, 8)));
}

}  // namespace
}  // namespace sweepd::replay::receipt_test
