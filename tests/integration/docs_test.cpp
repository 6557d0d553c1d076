// SPDX-License-Identifier: MIT
//
// Protects those who set up a server by the documentation: each command of its sections on how a server runs
// works as it stands there. Only hosts, ports and folders are those of the test.
#include <regex>
#include <sstream>

#include "integration/support/page_rules.h"
#include "integration/support/ticket_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::docs_test {
namespace {

using ::testing::HasSubstr;

/// The commands of the running test, one in a line.
std::vector<std::string> commands_of(const std::string& language) {
  std::istringstream lines(blocks_of_this_test(language));
  std::vector<std::string> commands;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("#")) commands.push_back(line);
  return commands;
}

class Documentation : public TicketServerTest {
 protected:
  void SetUp() override {
    TicketServerTest::SetUp();
    authority_.issue({.names = "DNS:localhost"}).write(folder_.path(), "own");
    std::filesystem::rename(path("own.pem"), path("chain.pem"));
    std::filesystem::rename(path("own.key"), path("key.pem"));
    std::filesystem::copy(path("chain.pem"), path("tls.crt"));
    std::filesystem::copy(path("key.pem"), path("tls.key"));
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
        {":9464", ":" + std::to_string(http_port_)},
        {"^sweepd (?!.*--listen )", "sweepd --listen 127.0.0.1:" + open + " "},
        {"^prometheus ", "prometheus --web.listen-address=127.0.0.1:" + std::to_string(inner_port_) + " "},
        {"^curl ", "curl --fail-with-body --silent --show-error "},
        {"(/usr/local)?/bin/", ""},
        {"/etc/sweepd/", ""},
        {"/var/lib/sweepd([^ ]*)", "'" + path("data") + "$1'"},
        {"/var/lib/prometheus", "prometheus"},
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
    const std::string all =
        "set -o pipefail; cd '" + folder_.path().string() + "' && unset XDG_CONFIG_HOME SWEEPD_SERVER && " +
        "export HOME=$PWD SSL_CERT_FILE=ca.pem match='" + match_id_ + "' PATH='" + binaries +
        "':/usr/sbin:$PATH && " + assignments_ + (is_server(command) ? "exec env " + setting : "");
    const auto output = folder_.path() / ("run-" + std::to_string(runs_++));
    return std::make_unique<Process>(std::vector<std::string>{"/bin/bash", "-c", all + " " + command},
                                     output);
  }

  static bool is_server(const std::string& command) {
    return std::regex_search(command, std::regex("^([A-Z_]+=[^ ]* )*(sweepd|haproxy|prometheus) "));
  }
  static bool is_front(const std::string& command) { return command.find("haproxy ") != std::string::npos; }
  static bool is_beside(const std::string& command) {
    return is_front(command) || command.starts_with("prometheus ");
  }

  /// In the place of those before, but for what is of the server before, as a front.
  void serve(std::string command) {
    const std::string inner = ":" + std::to_string(inner_port_);
    const std::regex old("PID_OF_THE_OLD");
    const bool is_successor = std::regex_search(command, old);
    if (is_successor) command = std::regex_replace(command, old, std::to_string(servers_.back()->pid()));
    if (!is_beside(command)) servers_.clear();
    servers_.push_back(begin(command, is_front(command) ? "SWEEPD_SERVER=127.0.0.1" + inner : ""));
    if (is_successor) {
      EXPECT_EQ(servers_.rbegin()[1]->wait(), 0) << "the old one ends";
      servers_.erase(servers_.end() - 2);
    }
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

  /// Waits until the address is answered well.
  void expect_well(const std::string& address) {
    const std::string command = placed("curl --cacert ca.pem " + address);
    EXPECT_TRUE(eventually([&] { return begin(command)->wait() == 0; })) << command;
  }

  static bool is_assignment(const std::string& command) {
    return std::regex_search(command, std::regex("^[a-z]+=\"[^\"]*\"$"));
  }

  /// What the last of them says. `after_server`: a command that each server has to answer.
  std::string run_all(const std::string& language = "sh", const std::string& after_server = "") {
    std::string said;
    for (const std::string& line : commands_of(language)) {
      const std::string command = placed(line);
      SCOPED_TRACE(command);
      if (is_assignment(command)) {
        assignments_ += command + " && ";
      } else if (is_server(command)) {
        serve(command);
        if (!after_server.empty()) call(placed(after_server));
      } else {
        said = call(command);
      }
    }
    return said;
  }

  Process& last_server() { return *servers_.back(); }

  std::string match_id_;

 private:
  const int open_port_ = free_port();
  const int inner_port_ = free_port();
  const int http_port_ = free_port();
  const int loop_ports_ = free_port_base(4);
  std::string assignments_;  ///< Of the shell, which commands below them use.
  std::vector<std::unique_ptr<Process>> servers_;
  int runs_ = 0;
};

TEST_F(Documentation, OfEncryptionWorksAsItStandsThere) {
  run_all();
  const std::string without =
      call(placed("sweepctl ls --server game.example.com:7777 --tls --token-file token"), 1);
  EXPECT_THAT(without, HasSubstr("certificate of the client")) << "the last server asks for one";
}

TEST_F(Documentation, OfFirewallsWorksAsItStandsThere) {
  run_all("sh", "sweepctl create --server game.example.com:7777 --ca ca.pem --token-file token");
}

TEST_F(Documentation, OfOperatorsWorksAsItStandsThere) {
  start_with_tickets({"--data-dir", path("data")});
  match_id_ = created(studio_);
  run_all();
  EXPECT_TRUE(is_logged("what=Kick")) << log();
  EXPECT_THAT(call(placed("sweepctl admin bans --context prod")), HasSubstr("cheating"));
  EXPECT_TRUE(is_logged("what=EndMatch")) << log();
}

TEST_F(Documentation, OfTheFrontWorksAsItStandsThere) {
  run_all();
  call(placed("sweepctl ls --server game.example.com:7777 --ca ca.pem --token-file token"));
  EXPECT_THAT(run_all("bash"), HasSubstr("notAfter="));
  call(placed("sweepctl ls --server game.example.com:7777 --ca ca.pem --token-file token"));
}

TEST_F(Documentation, OfNothingLostWorksAsItStandsThere) {
  run_all();
  EXPECT_TRUE(std::filesystem::exists(path("data")));
}

TEST_F(Documentation, OfTheUnitWorksAsItStandsThere) {
  const std::string unit = std::regex_replace(blocks_of_this_test("ini"), std::regex(R"( \\\n *)"), " ");
  std::smatch start;
  std::smatch reload;
  ASSERT_TRUE(std::regex_search(unit, start, std::regex("\nExecStart=(.*)\n")));
  ASSERT_TRUE(std::regex_search(unit, reload, std::regex("\nExecReload=(.*) \\$MAINPID\n")));
  serve(placed(start[1]));
  expect_well("https://localhost:9464/readyz");  // It hears signals by then.
  call(placed(reload[1]) + " " + std::to_string(last_server().pid()));
  EXPECT_TRUE(eventually([&] {
    return last_server().standard_error().find("read again") != std::string::npos;
  })) << last_server().standard_error();
}

TEST_F(Documentation, OfContainersWorksAsItStandsThere) {
  const std::string pod = blocks_of_this_test("yaml");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(pod, found, std::regex(R"(args: \[([^\]]*)\])")));
  serve(placed("sweepd " + std::regex_replace(found[1].str(), std::regex(R"([",]|\n)"), "")));
  static const std::regex kProbe(R"(httpGet: \{path: (\S+), port: (\d+), scheme: HTTPS\})");
  int probes = 0;
  for (std::sregex_iterator it(pod.begin(), pod.end(), kProbe), end; it != end; ++it, ++probes)
    expect_well("https://localhost:" + (*it)[2].str() + (*it)[1].str());
  EXPECT_EQ(probes, 2);
}

TEST_F(Documentation, OfOldKeysWorksAsItStandsThere) {
  call("sweepctl key new --kid backend-1 --issuer game --jwks keys.json");
  EXPECT_THAT(read_file(keys()), HasSubstr("backend-1"));
  serve(placed("sweepd --http-listen 127.0.0.1:9464 --ticket-keys keys.json"));
  expect_well("http://127.0.0.1:9464/readyz");
  EXPECT_THAT(run_all("bash"), HasSubstr(R"("ticket_keys":"ok")"));
  EXPECT_THAT(read_file(keys()), ::testing::Not(HasSubstr("backend-1")));
}

TEST_F(Documentation, OfWatchingWorksAsItStandsThere) {
  run_all();
  EXPECT_THAT(call(placed("curl http://127.0.0.1:9464/log-level")), HasSubstr("debug"));
}

}  // namespace
}  // namespace sweepd::test::docs_test
