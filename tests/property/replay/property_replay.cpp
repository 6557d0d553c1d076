// SPDX-License-Identifier: MIT
//
// Protects: whatever happens in a match, its replay is VERIFIED, with the same digests and scores; and
// whatever is done to a replay, it is not any more, and what was done is named. Seeds are fixed; a failure
// names its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash_secret.h"
#include "property/replay/mutation.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/verification.h"
#include "rounds.h"

namespace sweepd::replay::property_replay {
namespace {

const SigningKey& signing_key() {
  static const SigningKey kKey = SigningKey::generate();
  return kKey;
}

// Where a key stands in a table is a secret of the process, and so are the orders in which tables could be
// walked.
TEST(Replays, TellNothingOfTheSecretOfTheTables) {
  for (std::uint64_t seed = 200; seed < 220; ++seed) {
    const recordings::ReplayOptions options{.key_frame_ticks = 30};
    const std::string bytes = recordings::random_replay(seed, 150, options);
    base::set_hash_secret(seed * 0x9e3779b97f4a7c15u);
    const std::string again = recordings::random_replay(seed, 150, options);
    base::set_hash_secret(0);
    ASSERT_EQ(bytes, again) << "seed " << seed;
  }
}

TEST(Replays, OfRandomMatchesAreVerified) {
  for (std::uint64_t seed = 100; seed < 150; ++seed) {
    recordings::RandomMatch match(seed);
    std::vector<TickRecord> records;
    for (int i = 0; i < 150; ++i) records.push_back(match.play_tick());
    records.push_back(match.end());
    const auto scores = scores_of(match.match());
    const auto ticks_per_chunk = static_cast<std::uint32_t>(1 + seed % 40);
    const std::string bytes =
        recordings::write_replay(recordings::random_match_config(seed), records,
                                 {.writer = {ticks_per_chunk}, .key = &signing_key(), .key_frame_ticks = 30});
    const Verification result = verify(bytes, {signing_key().public_key(), scores});
    ASSERT_EQ(result.verdict, ReplayVerdict::kVerified) << "seed " << seed << ": " << result.what;
    ASSERT_EQ(result.digest, match.match().digest());
    ASSERT_TRUE(std::ranges::equal(result.scores, scores, is_equal));
  }
}

constexpr std::uint32_t kTicks = 60;  ///< And the end; in chunks of 8.

TEST(Replays, OfWhichAnythingWasChangedAreNotVerifiedAndSayWhatItWas) {
  const std::string whole = recordings::random_replay(
      3, kTicks, {.match_id = "ours", .writer = {8}, .key = &signing_key(), .key_frame_ticks = 12});
  const std::string other = recordings::random_replay(
      4, kTicks, {.match_id = "another", .writer = {8}, .key = &signing_key(), .key_frame_ticks = 12});
  const VerificationOptions options{.public_key = signing_key().public_key()};
  ASSERT_EQ(verify(whole, options).verdict, ReplayVerdict::kVerified);
  ASSERT_EQ(verify(other, options).verdict, ReplayVerdict::kVerified);
  int objects_named = 0;
  for (std::uint64_t seed = 0; seed < rounds(1'300u); ++seed) {
    Mutation mutation(whole, other, seed);
    const Expectation expected = mutation.mutate(seed % Mutation::kKinds);
    ASSERT_NE(mutation.bytes(), whole) << "seed " << seed;
    const Verification result = verify(mutation.bytes(), options);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + expected.done + "; " + result.what);
    ASSERT_THAT(expected.verdicts, ::testing::Contains(result.verdict)) << name_of(result.verdict);
    ASSERT_NE(result.what, "");
    const bool names_object = result.what.find("; after tick ") != std::string::npos;
    ASSERT_EQ(names_object, result.compared_tick != 0);
    ASSERT_TRUE(result.compared_tick == 0 || result.compared_tick >= result.diverging_tick);
    objects_named += result.diverging_object ? 1 : 0;
    if (result.verdict != ReplayVerdict::kDiverged || expected.last_tick == 0) continue;
    ASSERT_GE(result.diverging_tick, expected.first_tick);
    ASSERT_LE(result.diverging_tick, expected.last_tick);
  }
  EXPECT_GE(objects_named, rounds(50)) << "of those whose objects differ, and that a key frame follows";
}

}  // namespace
}  // namespace sweepd::replay::property_replay
