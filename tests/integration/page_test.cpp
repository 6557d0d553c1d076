// SPDX-License-Identifier: MIT
//
// Protects those who write a client in another language, set flags or look at pictures by the documentation:
// the clients of proto/README.md play a match as they stand there, deploy/README.md has every flag of the
// server, and the picture of README.md is what the tool draws.
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "integration/support/server_fixture.h"

namespace sweepd::test::page_test {
namespace {

namespace fs = std::filesystem;

fs::path source() { return required_environment("SWEEPD_SOURCE_DIR"); }

/// The block of that language in a section of proto/README.md.
std::string block_of(const std::string& heading, const std::string& language) {
  const std::string page = read_file(source() / "proto/README.md");
  const std::size_t section = page.find("\n## " + heading + "\n");
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = page.find(fence, section);
  const std::size_t end = page.find("```\n", begin + fence.size());
  EXPECT_TRUE(section != std::string::npos && begin != std::string::npos && end != std::string::npos)
      << heading << ": " << language;
  if (end == std::string::npos) return "";
  return page.substr(begin + fence.size(), end - begin - fence.size());
}

class ProtocolRecipes : public ServerTest {
 protected:
  std::unique_ptr<Process> run(const std::string& commands) {
    const fs::path output = folder_.path() / ("run-" + std::to_string(runs_++));
    const std::string begin = "set -e; cd '" + folder_.path().string() + "'; export HOME=$PWD; ";
    return std::make_unique<Process>(std::vector<std::string>{"/bin/bash", "-c", begin + commands}, output);
  }

  /// In the folder where its commands run, with the server of this test in the place of the page's.
  std::string prepare(const std::string& heading, const std::string& language, const std::string& file) {
    std::ofstream(folder_.path() / file) << block_of(heading, language);
    if (!fs::exists(folder_.path() / "proto"))
      fs::create_directory_symlink(source() / "proto", folder_.path() / "proto");
    return std::regex_replace(block_of(heading, "sh"), std::regex("127\\.0\\.0\\.1:7777"),
                              server().address());
  }

  TemporaryFolder folder_;

 private:
  int runs_ = 0;
};

TEST_F(ProtocolRecipes, OfPythonPlaysAMatch) {
  const auto client = run(prepare("Python", "python", "client.py"));
  EXPECT_EQ(client->wait(), 0) << client->standard_error();
  EXPECT_EQ(client->standard_output(), "ENTER 1 2\nEXIT 1 2\n");
}

TEST_F(ProtocolRecipes, OfNodePlaysAMatch) {
  const std::string commands = prepare("Node", "js", "client.js");
  const std::size_t install = commands.find('\n');
  ASSERT_NE(install, std::string::npos);
  const auto packages = run("command -v npm; " + commands.substr(0, install));
  if (packages->wait(std::chrono::minutes(3)) != 0)
    GTEST_SKIP() << "npm brings no packages here: " << packages->standard_error();
  const auto client = run(commands.substr(install + 1));
  EXPECT_EQ(client->wait(), 0) << client->standard_error();
  EXPECT_THAT(client->standard_output(), ::testing::HasSubstr("ENTER 1 2\nEXIT 1 2\n"));
}

/// As a row of the table has them, without what it says about the flag.
struct Flag {
  std::string name;
  std::string value;
  std::string default_value;

  std::string row() const {
    const std::string cells = "| `" + name + "` | " + value + " | " + default_value + " |";
    return std::regex_replace(cells, std::regex(R"((\w)\|(?=\w))"), "$1\\|");
  }
};

/// `description`: what --help has behind the name, up to what says more about the flag.
Flag parse_flag(const std::string& name, std::string description) {
  description = std::regex_replace(description, std::regex(R"((^| )(Needs|Excludes): .*$)"), "");
  description = std::regex_replace(description, std::regex(R"( \.\.\.$)"), "");
  Flag flag{.name = name, .value = description, .default_value = ""};
  const std::size_t equals = description.starts_with("NAME=N") ? std::string::npos : description.find('=');
  if (equals != std::string::npos) {
    flag.value = description.substr(0, equals);
    flag.default_value = description.substr(equals + 1);
  }
  flag.value = std::regex_replace(flag.value, std::regex(R"(:U?INT in \[(\d+) - (\d+)\])"), ", $1 to $2");
  std::smatch choice;
  if (std::regex_match(flag.value, choice, std::regex(R"([A-Z]+:\{(.*)\})")))
    flag.value = std::regex_replace(choice[1].str(), std::regex(","), "|");
  return flag;
}

std::vector<Flag> flags_of(const std::string& help) {
  static const std::regex kFlag(R"(  (--[a-z0-9-]+)(?: (\S.*?))?(?:  +\S.*)?)");
  std::vector<Flag> flags;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, kFlag) || match[1] == "--version") continue;
    flags.push_back(parse_flag(match[1], match[2]));
  }
  return flags;
}

TEST(DocumentedFlags, AreThoseOfTheServerWithTheirValuesAndDefaults) {
  const TemporaryFolder folder;
  Process help({required_environment("SWEEPD_BINARY"), "--help"}, folder.path());
  ASSERT_EQ(help.wait(), 0);
  const std::string page = read_file(source() / "deploy/README.md");
  std::set<std::string> names;
  for (const Flag& flag : flags_of(help.standard_output())) {
    EXPECT_THAT(page, ::testing::HasSubstr("\n" + flag.row()));
    names.insert(flag.name);
  }
  EXPECT_GT(names.size(), 60u);
  static const std::regex kRow(R"(\n\| `(--[a-z0-9-]+)` \|)");
  for (std::sregex_iterator it(page.begin(), page.end(), kRow), end; it != end; ++it)
    EXPECT_TRUE(names.contains((*it)[1])) << (*it)[1];
}

TEST(DocumentedPicture, IsWhatTheToolDraws) {
  const TemporaryFolder folder;
  const fs::path drawn = folder.path() / "moment.svg";
  Process tool({required_environment("SWEEPCTL_BINARY"), "replay", "show",
                source() / "tests/golden/replays/trace_boss.swpr", "--around", "61", "--svg", drawn},
               folder.path());
  ASSERT_EQ(tool.wait(), 0) << tool.standard_error();
  EXPECT_EQ(read_file(drawn), read_file(source() / "server/moment.svg"));
}

}  // namespace
}  // namespace sweepd::test::page_test
