// SPDX-License-Identifier: MIT
//
// Protects those who begin by the documentation: a server by hand, a match in a file and what a replay is for
// work as the commands stand there. Only addresses and the names of files are those of the test.
#include <fstream>
#include <regex>
#include <sstream>

#include "integration/support/server_fixture.h"

namespace sweepd::test::page_command_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::uint32_t kTicks = 700;  // The commands name ticks up to 600.

fs::path source() { return required_environment("SWEEPD_SOURCE_DIR"); }

/// All blocks of a language in a section of a page.
std::string blocks_of(const std::string& page, const std::string& heading, const std::string& language) {
  std::istringstream lines(read_file(source() / page));
  std::string blocks;
  bool is_in_section = false;
  bool is_in_block = false;
  bool is_in_other = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_fence = line.starts_with("```");
    if (!is_fence && is_in_section && is_in_block) blocks += line + "\n";
    if (is_fence) {
      is_in_other = !is_in_block && !is_in_other && line != "```" + language;
      is_in_block = !is_in_block && line == "```" + language;
    } else if (!is_in_block && !is_in_other && line.starts_with("#")) {
      is_in_section = line == heading;
    }
  }
  EXPECT_FALSE(blocks.empty()) << page << ": " << heading;
  return blocks;
}

std::string replaced(const std::string& text, const std::string& pattern, const std::string& by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

/// A folder in which commands run, with a server that keeps its matches.
class PageCommands : public ServerTest {
 protected:
  void SetUp() override {
    start({"--data-dir", data_.path().string()});
    fs::create_directory_symlink(source() / "deploy", folder_.path() / "deploy");
  }

  /// What they say.
  std::string run(const std::string& commands, const std::string& server_address) {
    const fs::path binaries = fs::path(required_environment("SWEEPCTL_BINARY")).parent_path();
    const std::string begin = "set -e -o pipefail; cd '" + folder_.path().string() +
                              "'; unset XDG_CONFIG_HOME; export HOME=$PWD SWEEPD_SERVER=" + server_address +
                              " PATH='" + binaries.string() + "':$PATH\n";
    Process shell({"/bin/bash", "-c", begin + commands}, folder_.path() / ("run-" + std::to_string(runs_++)));
    EXPECT_EQ(shell.wait(), 0) << commands << shell.standard_output() << shell.standard_error();
    return shell.standard_output() + shell.standard_error();
  }
  std::string run(const std::string& commands) { return run(commands, server().address()); }

  fs::path path(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder data_;
  TemporaryFolder folder_;
  int runs_ = 0;
};

TEST_F(PageCommands, OfAServerByHand) {
  const std::string address = "127.0.0.1:" + std::to_string(free_port());
  std::string commands = blocks_of("deploy/README.md", "## By hand", "sh");
  commands = replaced(commands, "export PATH=[^\n]*\n", "");
  commands = replaced(commands, "(sweepd --listen )127\\.0\\.0\\.1:7777( &)[^\n]*",
                      "$01" + address + "$2\nuntil sweepctl ls >/dev/null 2>&1; do sleep 0.1; done");
  commands = replaced(commands, "(sweepctl watch [^ ]*)[^\n]*", "$1 &");  // It follows until the end.
  const std::string said = run(commands + "wait %1\n", address);
  EXPECT_THAT(said, HasSubstr("sweepd listens address=" + address));
  EXPECT_THAT(said, HasSubstr("ended "));
}

TEST_F(PageCommands, OfAMatchInAFile) {
  const std::string page = "client_sdk/README.md";
  const std::string heading = "## A match in a file";
  std::ofstream(path("page.toml")) << blocks_of(page, heading, "toml");
  fs::copy(source() / "deploy/samples/ship.png", path("ship.png"));
  const fs::path trace = source() / "tests/golden/traces/edges.trace.xz";
  run("xz -dc '" + trace.string() + "' > edges.trace");
  EXPECT_THAT(run("sweepctl check page.toml"), HasSubstr("a match"));
  std::string commands = blocks_of(page, heading, "sh");
  commands = replaced(commands, "play TRACE --config FILE", "play edges.trace --config page.toml");
  EXPECT_THAT(run(commands), HasSubstr("created 'stage 1'"));
}

TEST_F(PageCommands, OfReplays) {
  Client client = this->client();
  const auto match = client.create_match(shooter_config(ClockKind::kManual));
  ASSERT_TRUE(match.ok());
  ASSERT_TRUE(client.step_match(match->match_id, kTicks).ok());
  ASSERT_TRUE(client.end_match(match->match_id).ok());
  std::string commands = blocks_of("deploy/README.md", "## Replays, verified scores, receipts", "sh");
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
