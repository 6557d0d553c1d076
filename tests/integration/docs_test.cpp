// SPDX-License-Identifier: MIT
//
// Protects those who set up a server by the documentation: each command of its sections on security works as
// it stands there. Only hosts, ports and folders are those of the test.
#include <regex>
#include <sstream>

#include "integration/support/ticket_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::docs_test {
namespace {

using ::testing::HasSubstr;

/// The lines of all blocks of a shell in a section of deploy/README.md.
std::vector<std::string> commands_of(const std::string& heading) {
  std::istringstream page(
      read_file(required_environment("SWEEPD_SOURCE_DIR") + std::string("/deploy/README.md")));
  std::vector<std::string> commands;
  bool is_in_section = false;
  bool is_in_block = false;
  for (std::string line; std::getline(page, line);) {
    if (!is_in_block && line.starts_with("#")) is_in_section = line == heading;
    if (line.starts_with("```")) {
      is_in_block = line == "```sh";
    } else if (is_in_section && is_in_block) {
      commands.push_back(line);
    }
  }
  EXPECT_FALSE(commands.empty()) << heading;
  return commands;
}

class Documentation : public TicketServerTest {
 protected:
  void SetUp() override {
    TicketServerTest::SetUp();
    authority_.issue({.names = "DNS:localhost"}).write(folder_.path(), "own");
    std::filesystem::rename(path("own.pem"), path("chain.pem"));
    std::filesystem::rename(path("own.key"), path("key.pem"));
    std::filesystem::copy(path("ca.pem"), path("clients.pem"));
    authority_.issue({.common_name = "me"}).write(folder_.path(), "me");
    write_private_file(path("front.pem"), read_file(path("chain.pem")) + read_file(path("key.pem")));
    write_private_file(path("token"), token_of(ticket_of(identity::PrincipalKind::kOperator, "root")));
    write_keys(sample_key_set());
    std::filesystem::create_directory_symlink(
        required_environment("SWEEPD_SOURCE_DIR") + std::string("/deploy"), path("deploy"));
  }
  void TearDown() override {
    for (const auto& server : servers_) EXPECT_TRUE(server->is_running()) << server->standard_error();
    servers_.clear();
    TicketServerTest::TearDown();
  }

  /// With the hosts, ports and folders of the test.
  std::string placed(std::string command) const {
    const std::string open = std::to_string(open_port_);
    const std::pair<const char*, std::string> kPlaces[] = {
        {R"(game\.example\.com:(7777|31777))", "localhost:" + open},
        {"--loop-port-base 7800", "--loop-port-base " + std::to_string(loop_ports_)},
        {":7777", ":" + open},
        {":7778", ":" + std::to_string(inner_port_)},
        {"/etc/sweepd/", ""},
        {"/var/lib/sweepd/", "'" + path("data/") + "'"},
        {" *(#.*)?$", ""},  // What is said about it.
        {" *&$", ""},       // It runs beside the others in any case.
    };
    for (const auto& [place, here] : kPlaces) command = std::regex_replace(command, std::regex(place), here);
    return command;
  }

  /// `setting`: of the environment, beside what all commands have.
  std::unique_ptr<Process> begin(const std::string& command, const std::string& setting = "") {
    const std::string binaries =
        std::filesystem::path(required_environment("SWEEPCTL_BINARY")).parent_path().string();
    const std::string all = "cd '" + folder_.path().string() +
                            "' && unset XDG_CONFIG_HOME SWEEPD_SERVER && " +
                            "export HOME=$PWD SSL_CERT_FILE=ca.pem match='" + match_id_ + "' PATH='" +
                            binaries + "':/usr/sbin:$PATH && " + assignments_ + "exec env " + setting;
    const auto output = folder_.path() / ("run-" + std::to_string(runs_++));
    return std::make_unique<Process>(std::vector<std::string>{"/bin/bash", "-c", all + " " + command},
                                     output);
  }

  static bool is_server(const std::string& command) {
    return std::regex_search(command, std::regex("^([A-Z_]+=[^ ]* )*(sweepd|haproxy) "));
  }
  static bool is_front(const std::string& command) { return command.find("haproxy ") != std::string::npos; }

  /// In the place of those before, but for a front, which is of the server before.
  void serve(const std::string& command) {
    const std::string inner = ":" + std::to_string(inner_port_);
    if (!is_front(command)) servers_.clear();
    servers_.push_back(begin(command, is_front(command) ? "SWEEPD_SERVER=127.0.0.1" + inner : ""));
    Process& server = *servers_.back();
    const int port = command.find(inner) != std::string::npos ? inner_port_ : open_port_;
    const auto answers = [port] { return HttpClient(static_cast<std::uint16_t>(port)).is_connected(); };
    ASSERT_TRUE(eventually([&] { return answers() || !server.is_running(); }));
    ASSERT_TRUE(server.is_running()) << command << "\n" << server.standard_error();
  }

  /// What it says.
  std::string call(const std::string& command, int code = 0) {
    const auto process = begin(command);
    EXPECT_EQ(process->wait(), code) << command << "\n" << process->standard_error();
    return process->standard_output() + process->standard_error();
  }

  static bool is_assignment(const std::string& command) {
    return std::regex_search(command, std::regex("^[a-z]+=\"[^\"]*\"$"));
  }

  /// `after_server`: a command that each server has to answer.
  void run_all(const std::string& heading, const std::string& after_server = "") {
    for (const std::string& line : commands_of(heading)) {
      const std::string command = placed(line);
      SCOPED_TRACE(command);
      if (is_assignment(command)) {
        assignments_ += command + " && ";
      } else if (is_server(command)) {
        serve(command);
        if (!after_server.empty()) call(placed(after_server));
      } else {
        call(command);
      }
    }
  }

  std::string match_id_;

 private:
  const int open_port_ = free_port();
  const int inner_port_ = free_port();
  const int loop_ports_ = free_port_base(4);
  std::string assignments_;  ///< Of the shell, which commands below them use.
  std::vector<std::unique_ptr<Process>> servers_;
  int runs_ = 0;
};

TEST_F(Documentation, OfEncryptionWorksAsItStandsThere) {
  run_all("## Encryption");
  const std::string without =
      call(placed("sweepctl ls --server game.example.com:7777 --tls --token-file token"), 1);
  EXPECT_THAT(without, HasSubstr("certificate of the client")) << "the last server asks for one";
}

TEST_F(Documentation, OfFirewallsWorksAsItStandsThere) {
  run_all("## Firewalls, port mappings, containers",
          "sweepctl create --server game.example.com:7777 --ca ca.pem --token-file token");
}

TEST_F(Documentation, OfOperatorsWorksAsItStandsThere) {
  start_with_tickets({"--data-dir", path("data")});
  match_id_ = created(studio_);
  run_all("## Operators");
  EXPECT_TRUE(is_logged("what=Kick")) << log();
  EXPECT_THAT(call(placed("sweepctl admin bans --context prod")), HasSubstr("cheating"));
  EXPECT_TRUE(is_logged("what=EndMatch")) << log();
}

TEST_F(Documentation, OfTheFrontWorksAsItStandsThere) {
  run_all("## Where strangers can reach it");
  call(placed("sweepctl ls --server game.example.com:7777 --ca ca.pem --token-file token"));
}

}  // namespace
}  // namespace sweepd::test::docs_test
