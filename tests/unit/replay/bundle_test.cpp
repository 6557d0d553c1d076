// SPDX-License-Identifier: MIT
//
// Protects who is shown a piece of a replay in a dispute: what is packed plays as it played in the match, and
// nothing in it can be changed without its packer's key.
#include "replay/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "property/random.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/little_endian.h"
#include "sweepd/replay/v1/bundle.pb.h"

namespace sweepd::replay::bundle_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kTicks = 120;

const SigningKey& server_key() {
  static const SigningKey kKey = SigningKey::generate();
  return kKey;
}
const SigningKey& packer_key() {
  static const SigningKey kKey = SigningKey::generate();
  return kKey;
}

std::string replay_of(std::uint64_t seed) {
  return recordings::random_replay(seed, kTicks, {.key = &server_key(), .key_frame_ticks = 30});
}

std::string bundle_of(const std::string& replay, const BundleRange& range) {
  const auto reader = Reader::open(replay);
  EXPECT_TRUE(reader.ok());
  auto bundle = make_bundle(*reader, replay, range, packer_key());
  EXPECT_TRUE(bundle.ok()) << text_of(bundle.error());
  return *bundle;
}

/// Takes a bundle apart, lets it be changed, and signs it anew with a key.
template <typename Change>
std::string repacked(const std::string& bytes, const SigningKey& key, const Change& change) {
  v1::Bundle bundle;
  EXPECT_TRUE(bundle.ParseFromString(bytes.substr(kBundleMagic.size() + 4)));
  v1::BundleContent content;
  EXPECT_TRUE(content.ParseFromString(bundle.content()));
  change(content);
  bundle.set_content(content.SerializeAsString());
  const auto signature = key.sign("sweepd bundle 1\n" + bundle.content());
  const auto public_key = key.public_key().bytes;
  bundle.set_signature(std::string(signature.begin(), signature.end()));
  bundle.set_public_key(std::string(public_key.begin(), public_key.end()));
  return bytes.substr(0, kBundleMagic.size() + 4) + bundle.SerializeAsString();
}

TEST(Bundle, PlaysAsTheReplayDoes) {
  property::Random random(1);
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const std::string replay = replay_of(seed);
    const auto reader = Reader::open(replay);
    const Tick at = 1 + random.index(reader->tick_count());
    const BundleRange range{.at = at,
                            .first = at - random.index(std::min<Tick>(at, 20)),
                            .last = std::min<Tick>(reader->tick_count(), at + 15)};
    std::vector<std::uint64_t> expected;
    const auto note = [](std::vector<std::uint64_t>& digests) {
      return [&digests](const Moment& moment) {
        digests.push_back(moment.digest);
        digests.push_back(moment.claims.size());
        digests.push_back(moment.objects.size());
      };
    };
    ASSERT_FALSE(visit_moments(*reader, range.first, range.last, note(expected)));
    std::vector<std::uint64_t> found;
    const auto bundle = check_bundle(bundle_of(replay, range), note(found));
    ASSERT_TRUE(bundle.ok()) << text_of(bundle.error());
    EXPECT_EQ(found, expected);
    EXPECT_EQ(bundle->range.at, at);
    EXPECT_EQ(bundle->packer, packer_key().public_key());
    EXPECT_EQ(bundle->head.match_id, reader->head().match_id);
    ASSERT_TRUE(bundle->footer.receipt.has_value());
    EXPECT_EQ(bundle->footer.receipt->public_key, server_key().public_key());
  }
}

TEST(Bundle, OfTheFirstTickAndOfTheLastIsOne) {
  const std::string replay = replay_of(2);
  EXPECT_TRUE(check_bundle(bundle_of(replay, {.at = 1, .first = 1, .last = 1})).ok());
  EXPECT_TRUE(check_bundle(bundle_of(replay, {.at = 121, .first = 121, .last = 121})).ok());
  EXPECT_TRUE(check_bundle(bundle_of(replay, {.at = 60, .first = 1, .last = 121})).ok());
}

TEST(Bundle, ThatWasChangedAnywhereIsRefused) {
  const std::string honest = bundle_of(replay_of(3), {.at = 50, .first = 40, .last = 60});
  property::Random random(2);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = honest;
    const std::size_t place = random.index(bytes.size());
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << random.index(8)));
    EXPECT_FALSE(check_bundle(bytes).ok()) << "byte " << place;
  }
  for (std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{12}, honest.size() - 1}) {
    EXPECT_FALSE(check_bundle(honest.substr(0, size)).ok()) << size;
  }
}

// Else it begins as its packer likes, and every tick after that is right.
TEST(Bundle, FromTheFirstTickOnBringsNoMatchOfItsOwn) {
  const std::string honest = bundle_of(replay_of(5), {.at = 10, .first = 1, .last = 40});
  const std::string later = bundle_of(replay_of(5), {.at = 60, .first = 20, .last = 100});
  ASSERT_TRUE(check_bundle(honest).ok());
  v1::KeyFrame start;
  repacked(later, packer_key(), [&](const v1::BundleContent& content) { start = content.start(); });
  start.set_tick(0);
  const auto checked = check_bundle(
      repacked(honest, packer_key(), [&](v1::BundleContent& content) { *content.mutable_start() = start; }));
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().what, HasSubstr("it has a match before the first tick"));
}

TEST(Bundle, OfAPackerWhoLiesAboutWhatItsTicksComeToIsRefused) {
  // A match in which claims are judged in the ticks that are packed.
  const std::string honest = bundle_of(replay_of(5), {.at = 60, .first = 20, .last = 100});
  const auto fault_with = [&](const auto& change) {
    const auto checked = check_bundle(repacked(honest, packer_key(), change));
    return checked.ok() ? std::string() : checked.error().what;
  };
  EXPECT_EQ(fault_with([](v1::BundleContent&) {}), "");
  EXPECT_THAT(fault_with([](v1::BundleContent& content) {
                ASSERT_GT(content.claims_size(), 0);
                content.mutable_claims(0)->set_verdict(content.claims(0).verdict() == 1 ? 2 : 1);
              }),
              HasSubstr("claims and counters"));
  EXPECT_THAT(fault_with([](v1::BundleContent& content) {
                ASSERT_GT(content.participants_size(), 0);
                content.mutable_participants(0)->set_late_frames(77);
              }),
              HasSubstr("claims and counters"));
  EXPECT_THAT(fault_with([](v1::BundleContent& content) { content.set_last_tick(99); }),
              HasSubstr("ticks follow"));
  EXPECT_THAT(fault_with([](v1::BundleContent& content) { content.set_at_tick(101); }),
              HasSubstr("ticks are none"));
  EXPECT_THAT(fault_with([](v1::BundleContent& content) { content.set_first_tick(21); }),
              HasSubstr("does not begin"));
  EXPECT_THAT(fault_with([](v1::BundleContent& content) {
                content.mutable_footer()->set_final_digest(1 + content.footer().final_digest());
              }),
              HasSubstr("receipt"));
  EXPECT_THAT(fault_with([](v1::BundleContent& content) { content.mutable_header()->set_match_id("other"); }),
              HasSubstr("receipt"));
}

// Without a receipt over them, or of ticks of another run under one, what it says of the replay is compared.
TEST(Bundle, WhoseLastTickIsNotThatOfItsReplayIsRefused) {
  const std::string replay = replay_of(5);
  const Tick last = Reader::open(replay)->tick_count();
  const std::string honest = bundle_of(replay, {.at = last - 3, .first = last - 9, .last = last});
  const std::string whole = bundle_of(replay, {.at = 3, .first = 1, .last = last});
  const auto fault_with = [](const std::string& bundle, const auto& change) {
    const auto checked = check_bundle(repacked(bundle, packer_key(), [&](v1::BundleContent& content) {
      content.mutable_footer()->clear_public_key();
      content.mutable_footer()->clear_signature();
      content.mutable_footer()->clear_statement();
      change(content);
    }));
    return checked.ok() ? std::string() : checked.error().what;
  };
  for (const std::string& bundle : {honest, whole}) {
    EXPECT_EQ(fault_with(bundle, [](v1::BundleContent&) {}), "");
    EXPECT_THAT(fault_with(bundle, [](auto& content) { content.mutable_footer()->set_final_digest(7); }),
                HasSubstr("digest, end or scores"));
    EXPECT_THAT(fault_with(bundle, [](auto& content) { content.mutable_footer()->set_end_reason(3); }),
                HasSubstr("digest, end or scores"));
    EXPECT_THAT(
        fault_with(bundle,
                   [](auto& content) { content.mutable_footer()->mutable_scores(0)->set_score(1 << 20); }),
        HasSubstr("digest, end or scores"));
    EXPECT_THAT(fault_with(bundle, [](auto& content) { content.mutable_footer()->clear_participants(); }),
                HasSubstr("participants"));
    EXPECT_THAT(fault_with(bundle, [](auto& content) { content.mutable_header()->set_initial_digest(7); }),
                HasSubstr("the digest of the config"));
    EXPECT_THAT(
        fault_with(bundle,
                   [](auto& content) { content.mutable_header()->mutable_rules_digest()->at(0) ^= 1; }),
        HasSubstr("the digest of its rules"));
    EXPECT_THAT(fault_with(bundle, [](auto& content) { content.mutable_replay_sha256()->pop_back(); }),
                HasSubstr("SHA-256"));
  }
}

TEST(Bundle, OfAReplayThatIsCutOffIsNone) {
  const std::string replay = replay_of(3);
  const std::string cut_off = replay.substr(0, replay.size() - 20);
  const auto reader = Reader::open(cut_off);
  ASSERT_TRUE(reader.ok());
  const auto bundle = make_bundle(*reader, cut_off, {.at = 10, .first = 1, .last = 20}, packer_key());
  ASSERT_FALSE(bundle.ok());
  EXPECT_THAT(bundle.error().what, HasSubstr("cut off"));
}

TEST(Bundle, OfALaterVersionSaysSo) {
  std::string bytes = bundle_of(replay_of(3), {.at = 10, .first = 10, .last = 10});
  bytes[kBundleMagic.size()] = 9;
  const auto checked = check_bundle(bytes);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().kind, FaultKind::kUnsupportedVersion);
}

}  // namespace
}  // namespace sweepd::replay::bundle_test
