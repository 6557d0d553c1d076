// SPDX-License-Identifier: MIT
//
// Protects receipts that name rules by their digest: its bytes are those that its description says, it is the
// same in every build, and no two configs of other rules share it by the way they are written down.
#include "replay/rules_digest.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "match/rules.h"
#include "replay/sha256.h"
#include "unit/match/unusual_config.h"

namespace sweepd::replay::rules_digest_test {
namespace {

using match::MatchConfig;

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    for (const int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  }
  return text;
}

/// By the words of the header alone.
std::string described_digest(const MatchConfig& config) {
  std::map<std::string, std::string> rules;
  for (const match::Rule& rule : match::rules_of(config))
    EXPECT_TRUE(rules.emplace(rule.field, rule.value).second) << rule.field << " stands there twice";
  std::string bytes = "sweepd rules 1\n";
  for (const auto& [field, value] : rules) {
    for (const std::string& text : {field, value}) {
      for (int byte = 0; byte < 4; ++byte) bytes += static_cast<char>(text.size() >> 8 * byte);
      bytes += text;
    }
  }
  return sha256({bytes});
}

TEST(RulesDigest, IsOverTheBytesThatItsDescriptionSays) {
  const MatchConfig config = match::unusual_config();
  EXPECT_EQ(rules_digest(config), described_digest(config));
  EXPECT_EQ(rules_digest(config).size(), 32u);
}

// A receipt holds it: where this fails, the digest needs a new version.
TEST(RulesDigest, OfAConfigIsTheSameInEveryBuild) {
  MatchConfig config;
  config.layers = {"player", "enemy"};
  config.collides = {{.layer_a = "player", .layer_b = "enemy"}};
  config.late_frames = match::LateFramePolicy::kApplyNext;
  config.scoring = {{.layer_a = "player", .layer_b = "enemy", .points = -5}};
  EXPECT_EQ(hex(rules_digest(config)), "3cde8600b56e058fe94636cac32adf8e841e2551f25bfb116763d382bee4acde");
}

TEST(RulesDigest, TellsApartWhatLooksAlikeInARow) {
  MatchConfig one;
  one.layers = {"a", "b"};
  for (const std::vector<std::string>& layers :
       std::vector<std::vector<std::string>>{{"ab"}, {"a\"", "\"b"}, {"b", "a"}, {"a", "b", ""}}) {
    MatchConfig other;
    other.layers = layers;
    EXPECT_NE(rules_digest(one), rules_digest(other)) << layers.front();
  }
}

}  // namespace
}  // namespace sweepd::replay::rules_digest_test
