// SPDX-License-Identifier: MIT
//
// Protects those who begin by the documentation: a server by hand, a match in a file and what a replay is for
// work as the commands stand there. Only addresses and the names of files are those of the test.
#include <fstream>
#include <regex>

#include "integration/support/page_rules.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::page_command_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::uint32_t kTicks = 700;  // The commands name ticks up to 600.

fs::path source() { return required_environment("SWEEPD_SOURCE_DIR"); }

std::string replaced(const std::string& text, const std::string& pattern, const std::string& by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

/// A folder in which commands run, with a server that keeps its matches.
class PageCommands : public ServerTest {
 protected:
  void SetUp() override {
    start({"--data-dir", data_.path().string()});
    for (const char* folder : {"deploy", "tests"})
      fs::create_directory_symlink(source() / folder, path(folder));
    fs::create_directories(path("build/release"));
    fs::create_directory_symlink(binaries(), path("build/release/bin"));
  }

  /// What they say.
  std::string run(const std::string& commands, const std::string& server_address) {
    const std::string begin = "set -e -o pipefail; cd '" + folder_.path().string() +
                              "'; unset XDG_CONFIG_HOME; export HOME=$PWD SWEEPD_SERVER=" + server_address +
                              " PATH='" + binaries().string() + "':$PATH\n";
    Process shell({"/bin/bash", "-c", begin + commands}, folder_.path() / ("run-" + std::to_string(runs_++)));
    EXPECT_EQ(shell.wait(), 0) << commands << shell.standard_output() << shell.standard_error();
    return shell.standard_output() + shell.standard_error();
  }
  std::string run(const std::string& commands) { return run(commands, server().address()); }

  static fs::path binaries() { return fs::path(required_environment("SWEEPCTL_BINARY")).parent_path(); }
  fs::path path(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder data_;
  TemporaryFolder folder_;
  int runs_ = 0;
};

TEST_F(PageCommands, OfAServerOfTheBuild) {
  const std::string address = "127.0.0.1:" + std::to_string(free_port());
  const std::string commands =
      replaced(blocks_of_this_test("sh"), "sweepd &", "sweepd --listen " + address + " &");
  const std::string said =
      run(commands + "until sweepctl ls >/dev/null 2>&1; do sleep 0.1; done; kill %1; wait %1\n", address);
  EXPECT_THAT(said, HasSubstr("sweepd listens address=" + address));
}

TEST_F(PageCommands, OfAServerByHand) {
  const std::string address = "127.0.0.1:" + std::to_string(free_port());
  std::string commands = blocks_of_this_test("sh");
  commands = replaced(commands, "(sweepd --listen )127\\.0\\.0\\.1:7777( &)[^\n]*",
                      "$01" + address + "$2\nuntil sweepctl ls >/dev/null 2>&1; do sleep 0.1; done");
  commands = replaced(commands, "(sweepctl watch [^ ]*)[^\n]*", "$1 &");  // It follows until the end.
  const std::string said = run(commands + "wait %1\n", address);
  EXPECT_THAT(said, HasSubstr("sweepd listens address=" + address));
  EXPECT_THAT(said, HasSubstr("ended "));
}

TEST_F(PageCommands, OfAMatchInAFile) {
  std::ofstream(path("page.toml")) << blocks_of_this_test("toml");
  fs::copy(source() / "deploy/samples/ship.png", path("ship.png"));
  const fs::path trace = source() / "tests/golden/traces/edges.trace.xz";
  run("xz -dc '" + trace.string() + "' > edges.trace");
  EXPECT_THAT(run("sweepctl check page.toml"), HasSubstr("a match"));
  std::string commands = blocks_of_this_test("sh");
  commands = replaced(commands, "play TRACE --config FILE", "play edges.trace --config page.toml");
  EXPECT_THAT(run(commands), HasSubstr("created \"stage 1\""));
}

TEST_F(PageCommands, OfAMatchThatHidesShips) {
  std::ofstream(path("page.toml")) << "layers = [\"ship\"]\n"
                                   << blocks_of_this_test("toml") << R"(
[[templates]]
name = "ship"
shapes = [{ parts = [{ layer = "ship", circle = [0, 0, 8] }] }]
[templates.spawn]
alive_max = 1
)";
  EXPECT_THAT(run("sweepctl check page.toml"), HasSubstr("a match"));
}

// The block of the page is in here.
TEST_F(PageCommands, OfARefusedSpawn) {
  Client client = this->client();
  MatchConfig config = shooter_config(ClockKind::kManual);
  RoleLimits players;
  players.spawn_layers = std::vector<std::string>{"player"};
  config.limits = {players};
  const auto match = client.create_match(config);
  ASSERT_TRUE(match.ok());
  Session session = joined(client, match->match_id, "ann", Role::kPlayer);
  const std::uint32_t other_layer = 1;
  ObjectId ship = *session.spawn(object_at({0, 0}, other_layer));
  ASSERT_TRUE(session.end_frame(1).ok());
  ASSERT_TRUE(client.step_match(match->match_id, 1, true).ok());
  EXPECT_TRUE(eventually([&] {
    while (auto r = session.poll_rejection())
      if (r->object == ship && r->field.starts_with("spawns")) ship = 0;  // It never existed. Spawn again.
    return ship == 0;
  }));
}

TEST_F(PageCommands, OfAContextForDisputes) {
  EXPECT_THAT(run(blocks_of_this_test("bash") + "sweepctl context list"),
              HasSubstr("* prod  game.example.com:7777"));
}

// With fewer matches and less time, and with a limit that no match keeps.
TEST_F(PageCommands, OfLoads) {
  const std::string address = "127.0.0.1:" + std::to_string(free_port());
  std::string commands = blocks_of_this_test("sh");
  commands = replaced(commands, "(sweepd --listen )127\\.0\\.0\\.1:7777([^\n]* &)",
                      "$01" + address + "$2\nuntil sweepctl ls >/dev/null 2>&1; do sleep 0.1; done");
  commands = replaced(commands, "--pin-core 1", "--pin-core 0");
  commands = replaced(commands, "--matches \\d+", "--matches 1");
  commands = replaced(commands, "--search 5", "--search 0.001");
  commands = replaced(commands, " --duration \\d+", "");
  commands = replaced(commands, "sweepctl load", "sweepctl load --warm-up 0.1 --duration 0.2");
  const std::string said = run(commands + "kill %1; wait %1\n", address);
  EXPECT_THAT(said, HasSubstr("update to event"));
  for (const char* file : {"load.json", "load.svg"}) EXPECT_TRUE(fs::exists(path(file))) << file;
}

TEST_F(PageCommands, OfReplays) {
  Client client = this->client();
  const auto match = client.create_match(shooter_config(ClockKind::kManual));
  ASSERT_TRUE(match.ok());
  ASSERT_TRUE(client.step_match(match->match_id, kTicks).ok());
  ASSERT_TRUE(client.end_match(match->match_id).ok());
  std::string commands = blocks_of_this_test("sh");
  // The replays that are compared.
  commands =
      replaced(commands, "(sweepctl verify )", "cp match.swpr mine.swpr; cp match.swpr yours.swpr\n$1");
  const std::string said = run("match='" + match->match_id + "'\n" + commands);
  EXPECT_THAT(said, HasSubstr("VERIFIED"));
  EXPECT_THAT(said, HasSubstr("the same from beginning to end"));
  EXPECT_THAT(read_file(path("hit.svg")), HasSubstr("</svg>"));
  EXPECT_TRUE(fs::exists(path("opening.swpr")));
}

}  // namespace
}  // namespace sweepd::test::page_command_test
