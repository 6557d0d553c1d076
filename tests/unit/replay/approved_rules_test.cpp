// SPDX-License-Identifier: MIT
//
// Protects leaderboards from matches of easier rules under an official name: a replay passes by approved
// rules alone, and the first field that differs is named with both values.
#include "replay/approved_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/rules_digest.h"
#include "replay/verification.h"

namespace sweepd::replay::approved_rules_test {
namespace {

using match::MatchConfig;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 7;

Verification verify_by(const std::vector<ApprovedRules>& approved) {
  static const std::string bytes = recordings::random_replay(kSeed, 30);
  VerificationOptions options;
  options.approved_rules = approved;
  return verify(bytes, options);
}

MatchConfig official() { return recordings::random_match_config(kSeed); }

MatchConfig with_more_points() {
  MatchConfig config = official();
  config.scoring.at(0).points += 1'000;
  return config;
}

TEST(ApprovedRules, AreThoseOfAReplayWhateverTheyAreCalled) {
  MatchConfig renamed = official();
  renamed.name = "finals";
  renamed.ruleset = {"finals", "2"};
  renamed.seed = 99;
  renamed.broadphase = collision::BroadphaseKind::kBruteForce;
  for (const std::vector<ApprovedRules>& approved : std::vector<std::vector<ApprovedRules>>{
           {}, {{"a", renamed}}, {{"a", with_more_points()}, {"b", official()}}}) {
    const Verification result = verify_by(approved);
    EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
    EXPECT_EQ(result.rules_digest, rules_digest(official()));
  }
}

TEST(ApprovedRules, OfOtherValuesAreAMismatchThatNamesTheFirst) {
  const std::string points = std::to_string(official().scoring.at(0).points);
  const std::string more = std::to_string(with_more_points().scoring.at(0).points);
  const Verification result = verify_by({{"arena", with_more_points()}});
  EXPECT_EQ(result.verdict, ReplayVerdict::kRulesMismatch);
  EXPECT_EQ(name_of(result.verdict), "RULES_MISMATCH");
  EXPECT_EQ(result.what, "scoring[0].points is " + points + "; the approved rules arena have " + more);
  EXPECT_EQ(result.ticks_played, 31u);
}

TEST(ApprovedRules, OfTheSameRulesetAreThoseItIsComparedWith) {
  MatchConfig other = official();
  other.ruleset.name = "another game";
  other.layers.push_back("a layer of another game");
  const Verification result = verify_by({{"another", other}, {"arena", with_more_points()}});
  EXPECT_THAT(result.what, HasSubstr("the approved rules arena"));
}

TEST(ApprovedRules, AreNoExcuseForWhatIsWrongOtherwise) {
  std::string bytes = recordings::random_replay(kSeed, 30);
  bytes.resize(bytes.size() - 1);
  VerificationOptions options;
  options.approved_rules = {{"arena", with_more_points()}};
  EXPECT_EQ(verify(bytes, options).verdict, ReplayVerdict::kMalformed);
}

}  // namespace
}  // namespace sweepd::replay::approved_rules_test
