// SPDX-License-Identifier: MIT
//
// Protects servers whose rules are official: they are read whole or not at all, what is wrong is told with
// its file, and no name passes for another.
#include "session/official_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "replay/rules_digest.h"
#include "sweepd/v1/types.pb.h"
#include "unit/runtime/temporary_folder.h"
#include "wire/config_codec.h"

namespace sweepd::session::official_rules_test {
namespace {

using ::testing::HasSubstr;

match::MatchConfig config_of(int points) {
  match::MatchConfig config;
  config.layers = {"player", "enemy"};
  config.collides = {{.layer_a = "player", .layer_b = "enemy"}};
  config.scoring = {{.layer_a = "player", .layer_b = "enemy", .points = points}};
  return config;
}

class OfficialRulesTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
    return bytes;
  }
  std::string write_rules(const std::string& name, int points) {
    v1::MatchConfig message;
    wire::encode_config(config_of(points), message);
    return write(name, message.SerializeAsString());
  }
  base::Result<OfficialRules, std::string> read() { return OfficialRules::read(folder_.path(), {}); }
  std::string error() {
    const auto rules = read();
    return rules ? "none" : rules.error();
  }

  runtime::TemporaryFolder folder_;
};

TEST_F(OfficialRulesTest, AreFoundByNameAndByDigest) {
  const std::string bytes = write_rules("hard.rules", 7);
  write_rules("easy.rules", 1'000);
  write("notes.txt", "none");
  const auto rules = read();
  ASSERT_TRUE(rules) << rules.error();
  EXPECT_EQ(rules->all().size(), 2u);
  const auto hard = rules->find("hard");
  ASSERT_TRUE(hard);
  EXPECT_EQ(hard->config.scoring[0].points, 7);
  EXPECT_EQ(hard->digest, replay::rules_digest(config_of(7)));
  EXPECT_EQ(hard->bytes, bytes.size());
  match::MatchConfig filled = config_of(7);
  ASSERT_FALSE(match::fill_budgets({}, filled));
  EXPECT_EQ(rules->name_of(hard->digest, filled.budgets), "hard");
  EXPECT_EQ(rules->name_of(replay::rules_digest(config_of(8)), filled.budgets), "");
  EXPECT_FALSE(rules->find("notes"));
  EXPECT_FALSE(rules->find(""));
  EXPECT_TRUE(OfficialRules().empty());
}

// The broadphase is no rule; but a stage that spawns into fewer parts makes another game.
TEST_F(OfficialRulesTest, AreNotThoseOfAMatchThatMayHaveFewerParts) {
  write_rules("hard.rules", 7);
  const auto rules = read();
  ASSERT_TRUE(rules) << rules.error();
  match::MatchConfig slow = config_of(7);
  slow.broadphase = collision::BroadphaseKind::kBruteForce;
  ASSERT_FALSE(match::fill_budgets({}, slow));
  const std::string digest = replay::rules_digest(slow);
  EXPECT_EQ(digest, rules->find("hard")->digest);
  EXPECT_EQ(rules->name_of(digest, slow.budgets), "");
}

TEST_F(OfficialRulesTest, ThatCannotBeReadAreToldByFile) {
  EXPECT_THAT(error(), HasSubstr("has no rules"));
  write("a.rules", "no message");
  EXPECT_THAT(error(), HasSubstr("a.rules: "));
  write("a.rules", "");
  EXPECT_THAT(error(), HasSubstr("is none that sweepctl check --compile wrote"));
  write_rules("a.rules", 7);
  EXPECT_EQ(error(), "none");
  // A pipe without a writer would keep the server from starting, and say nothing.
  ASSERT_EQ(::mkfifo((folder_.path() / "b.rules").c_str(), 0600), 0);
  EXPECT_THAT(error(), HasSubstr("b.rules: is no regular file"));
}

TEST_F(OfficialRulesTest, HaveNamesThatShowAndPassForNoOther) {
  for (const std::string& name : {std::string("UNRANKED"), std::string("a\x1b[2J"), std::string("a\xff"),
                                  std::string("a\xe2\x80\xae"), std::string(65, 'a')}) {
    const std::string file = name + ".rules";
    write_rules(file, 7);
    EXPECT_THAT(error(), HasSubstr("name")) << name;
    std::filesystem::remove(folder_.path() / file);
  }
}

}  // namespace
}  // namespace sweepd::session::official_rules_test
