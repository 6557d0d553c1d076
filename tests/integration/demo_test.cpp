// SPDX-License-Identifier: MIT
//
// Protects the quickstart: its demo plays a match on a running server to the end, and the encounters add up.
// And the example of the README, which must do what it says.
#include <signal.h>
#include <sys/stat.h>

#include "integration/support/server_fixture.h"

namespace sweepd::test::demo_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Demo : public ServerTest {};

/// deploy/quickstart.sh with what is built already, where nothing else is.
class SecureQuickstart : public ::testing::Test {
 protected:
  SecureQuickstart() { fs::create_directory(home()); }

  std::unique_ptr<Process> run(const std::string& seconds) {
    const std::string script = required_environment("SWEEPD_SOURCE_DIR") + "/deploy/quickstart.sh";
    const fs::path bin = fs::path(required_environment("SWEEPD_BINARY")).parent_path();
    const std::vector<std::string> command{"/usr/bin/env",
                                           "-u",
                                           "XDG_CONFIG_HOME",
                                           "HOME=" + home().string(),
                                           "TMPDIR=" + home().string(),
                                           "/bin/bash",
                                           script,
                                           "--secure",
                                           "--bin",
                                           bin.string(),
                                           "--seconds",
                                           seconds};
    return std::make_unique<Process>(command, folder_.path() / "output");
  }

  fs::path home() const { return folder_.path() / "home"; }

  /// What is left of a run: a folder that it names, for its owner alone.
  fs::path expect_one_folder_left(const std::string& output) const {
    std::vector<fs::path> left;
    for (const auto& entry : fs::directory_iterator(home())) left.push_back(entry.path());
    EXPECT_EQ(left.size(), 1u) << output;
    if (left.size() != 1) return {};
    EXPECT_THAT(output, HasSubstr("keys, certificates and tickets of this run are in " + left[0].string()));
    EXPECT_EQ(fs::status(left[0]).permissions(), fs::perms(0700));
    return left[0];
  }

  static pid_t server_of(const std::string& output) {
    const std::string before = "(process ";
    const std::size_t at = output.find(before);
    return at == std::string::npos ? 0 : std::stoi(output.substr(at + before.size()));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SecureQuickstart, PlaysAMatchByTlsWithATicketForEachSeat) {
  const auto script = run("2");
  EXPECT_EQ(script->wait(), 0) << script->standard_error() << script->standard_output();
  const std::string output = script->standard_output();
  EXPECT_THAT(output,
              AllOf(HasSubstr("a stranger is told: "), HasSubstr("the call has no ticket"),
                    HasSubstr("have a ticket each"),
                    HasSubstr("encounters, each told to all three participants"), HasSubstr("all is well")));
  const fs::path left = expect_one_folder_left(output);
  for (const char* secret : {"ca.key", "server.key", "backend.jwk", "lobby.token", "player-1.token"})
    EXPECT_EQ(fs::status(left / secret).permissions(), fs::perms(0600)) << secret;
  ASSERT_GT(server_of(output), 1);
  EXPECT_NE(kill(server_of(output), 0), 0) << "the server is gone";
}

TEST_F(SecureQuickstart, EndsCleanlyWhenItIsInterrupted) {
  const auto script = run("600");
  ASSERT_TRUE(eventually([&] {
    return script->standard_output().find("two bots against a boss") != std::string::npos;
  })) << script->standard_error()
      << script->standard_output();
  script->signal(SIGTERM);
  EXPECT_EQ(script->wait(), 130);
  expect_one_folder_left(script->standard_output());
  ASSERT_GT(server_of(script->standard_output()), 1);
  EXPECT_NE(kill(server_of(script->standard_output()), 0), 0) << "the server is gone";
}

TEST_F(Demo, PlaysAMatchToItsEnd) {
  Process demo({required_environment("DEMO_BINARY"), "--server", server().address(), "--seconds", "2"},
               server().folder() / "demo");
  EXPECT_EQ(demo.wait(), 0) << demo.standard_error();
  EXPECT_THAT(demo.standard_output(), HasSubstr("encounters, each told to all three participants"));
  EXPECT_THAT(demo.standard_output(), HasSubstr("Digest of the match: "));
  EXPECT_TRUE(client().list_matches()->empty());
}

TEST_F(Demo, TheExampleOfShapesSweepsItsShotThroughTheShip) {
  Process example({required_environment("SHAPE_MATCH_BINARY"), server().address()},
                  server().folder() / "example");
  EXPECT_EQ(example.wait(), 0) << example.standard_error() << example.standard_output();
  EXPECT_THAT(example.standard_output(), HasSubstr(": EXIT SWEPT at 127/256"));
}

TEST_F(Demo, TheExampleOfScoresDestroysAnEnemyAndIsGrazed) {
  Process example({required_environment("SCORED_MATCH_BINARY"), server().address()},
                  server().folder() / "example");
  EXPECT_EQ(example.wait(), 0) << example.standard_error() << example.standard_output();
  EXPECT_THAT(example.standard_output(), HasSubstr("enemy "));
  EXPECT_THAT(example.standard_output(), HasSubstr("grazes the ship"));
  EXPECT_THAT(example.standard_output(), HasSubstr("ann has 10"));
}

TEST_F(Demo, TheExampleOfPredictionHitsInItsViewAndTakesBackWhatWasNotSo) {
  Process example({required_environment("COOP_SHMUP_BINARY"), server().address(), "8"},
                  server().folder() / "example");
  EXPECT_EQ(example.wait(), 0) << example.standard_error() << example.standard_output();
  EXPECT_THAT(example.standard_output(), HasSubstr("ann: "));
  EXPECT_THAT(example.standard_output(), HasSubstr("taken back: enemy "));
  EXPECT_THAT(example.standard_output(), HasSubstr(" points"));
}

TEST_F(Demo, TheExampleOfAStageAimsByTheFeedAndItsBossBreaksPartByPart) {
  Process example({required_environment("STAGE_WAVES_BINARY"), server().address()},
                  server().folder() / "example");
  EXPECT_EQ(example.wait(), 0) << example.standard_error() << example.standard_output();
  EXPECT_THAT(example.standard_output(), HasSubstr("2 parts broken; the boss is gone"));
}

}  // namespace
}  // namespace sweepd::test::demo_test
