// SPDX-License-Identifier: MIT
//
// Protects those who write a client in another language, set flags or look at pictures by the documentation:
// the clients of proto/README.md play a match as they stand there, deploy/README.md has every flag of the
// server, and the picture of README.md is what the tool draws.
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "integration/support/page_rules.h"
#include "integration/support/server_fixture.h"
#include "integration/support/web_socket_client.h"

namespace sweepd::test::page_test {
namespace {

namespace fs = std::filesystem;

fs::path source() { return required_environment("SWEEPD_SOURCE_DIR"); }

class ProtocolRecipes : public ServerTest {
 protected:
  std::unique_ptr<Process> run(const std::string& commands) {
    const fs::path output = folder_.path() / ("run-" + std::to_string(runs_++));
    const std::string begin = "set -e; cd '" + folder_.path().string() + "'; export HOME=$PWD; ";
    return std::make_unique<Process>(std::vector<std::string>{"/bin/bash", "-c", begin + commands}, output);
  }

  void SetUp() override {
    ServerTest::SetUp();
    fs::create_directory_symlink(source() / "proto", folder_.path() / "proto");
  }

  /// In the folder where its commands run, with the server of this test in the place of the page's.
  std::string prepare(const std::string& language, const std::string& file) {
    std::ofstream(folder_.path() / file) << blocks_of_this_test(language);
    return std::regex_replace(blocks_of_this_test("sh"), std::regex("127\\.0\\.0\\.1:7777"),
                              server().address());
  }

  TemporaryFolder folder_;

 private:
  int runs_ = 0;
};

TEST_F(ProtocolRecipes, OfPythonPlaysAMatch) {
  const auto client = run(prepare("python", "client.py"));
  EXPECT_EQ(client->wait(), 0) << client->standard_error();
  EXPECT_EQ(client->standard_output(), "ENTER 1 2\nEXIT 1 2\n");
}

TEST_F(ProtocolRecipes, OfNodePlaysAMatch) {
  const std::string commands = prepare("js", "client.js");
  const std::size_t install = commands.find('\n');
  ASSERT_NE(install, std::string::npos);
  const auto packages = run("command -v npm; " + commands.substr(0, install));
  if (packages->wait(std::chrono::minutes(3)) != 0)
    GTEST_SKIP() << "npm brings no packages here: " << packages->standard_error();
  const auto client = run(commands.substr(install + 1));
  EXPECT_EQ(client->wait(), 0) << client->standard_error();
  EXPECT_THAT(client->standard_output(), ::testing::HasSubstr("ENTER 1 2\nEXIT 1 2\n"));
}

// No test has Go's plugins: those here take what protoc has read and write nothing.
TEST_F(ProtocolRecipes, OfGoHasProtocReadEveryFile) {
  const std::string commands = blocks_of_this_test("sh");
  const std::size_t install = commands.find('\n');
  ASSERT_TRUE(commands.starts_with("go install ") && install != std::string::npos) << commands;
  const std::string plugins = commands.substr(0, install);
  static const std::regex kPlugin("/(protoc-gen-([a-z-]+))@latest");
  for (std::sregex_iterator it(plugins.begin(), plugins.end(), kPlugin), end; it != end; ++it) {
    EXPECT_THAT(commands, ::testing::HasSubstr("--" + (*it)[2].str() + "_out=. "));
    const fs::path plugin = folder_.path() / (*it)[1].str();
    std::ofstream(plugin) << "#!/bin/sh\ncat >> read\nprintf '\\020\\001'  # It knows optional fields.\n";
    fs::permissions(plugin, fs::perms(0700));
  }
  const auto protoc = run("PATH=$PWD:$PATH\n" + commands.substr(install + 1));
  EXPECT_EQ(protoc->wait(), 0) << protoc->standard_error();
  const std::string module = "sweepd";
  EXPECT_THAT(commands, ::testing::HasSubstr("--go_opt=module=" + module + " "));
  EXPECT_THAT(commands, ::testing::HasSubstr("--go-grpc_opt=module=" + module + " "));
  for (const auto& entry : fs::recursive_directory_iterator(source() / "proto/sweepd")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(read_file(entry.path()), ::testing::HasSubstr("go_package = \"" + module + "/"));
    EXPECT_THAT(read_file(folder_.path() / "read"), ::testing::HasSubstr(entry.path().filename().string()));
  }
}

TEST_F(ProtocolRecipes, OfAPageShakesHandsWithTheServer) {
  const std::string script = blocks_of_this_test("js");
  static const std::regex kSocket(
      R"(new WebSocket\('ws://127\.0\.0\.1:7780([^']+)', \['([^']+)', `([^$`]+)\$)");
  std::smatch socket;
  ASSERT_TRUE(std::regex_search(script, socket, kSocket)) << script;
  const std::string port_file = (folder_.path() / "ws-port").string();
  start({"--ws-listen", "127.0.0.1:0", "--ws-port-file", port_file});
  Client client = this->client();
  const auto match = client.create_match(shooter_config(ClockKind::kManual));
  ASSERT_TRUE(match.ok());
  WebSocketClient stream(std::stoi(read_file(port_file)), {.path = socket[1], .subprotocols = socket[2]});
  EXPECT_EQ(stream.status(), 101u);
  EXPECT_TRUE(stream.join(match->match_id, "ann").has_joined());
  EXPECT_EQ(socket[3], "sweepd.ticket.");
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
