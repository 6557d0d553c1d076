// SPDX-License-Identifier: MIT
#include "integration/support/server_fixture.h"

#include <signal.h>

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sweepd::test {

ServerProcess::ServerProcess(const std::vector<std::string>& options, int port) {
  const std::filesystem::path ready_file = folder_.path() / "ready";
  std::vector<std::string> command{required_environment("SWEEPD_BINARY"), "--listen",
                                   "127.0.0.1:" + std::to_string(port), "--ready-file", ready_file.string()};
  command.insert(command.end(), options.begin(), options.end());
  // However slow or busy a machine is: what is asked for is tried.
  for (const auto& [option, value] :
       {std::pair("--loop-busy-max-percent", "100"), std::pair("--loop-lateness-max-ms", "0")}) {
    if (std::ranges::find(options, option) == options.end()) command.insert(command.end(), {option, value});
  }
  process_ = std::make_unique<Process>(command, folder_.path() / "server");
  if (!eventually([&] { return std::filesystem::exists(ready_file) || !process_->is_running(); }) ||
      !process_->is_running()) {
    throw std::runtime_error("the server did not start: " + process_->standard_error());
  }
  port_ = std::stoi(read_file(ready_file));
}

Client ServerProcess::client(bool follow_endpoint) const {
  ClientOptions options;
  options.server = address();
  options.follow_endpoint = follow_endpoint;
  options.timeout = std::chrono::seconds(30);
  return Client(options);
}

void ServerProcess::go_on() {
  process_->signal(SIGCONT);
  Client client = this->client();
  EXPECT_TRUE(eventually([&] { return client.list_matches().ok(); })) << process_->standard_error();
  // Its first thread is the one that waits for signals; it has slept since it began to.
  EXPECT_TRUE(eventually([&] { return process_->sleeps(); })) << process_->standard_error();
}

void ServerTest::TearDown() {
  if (stopped_by_test_ || server_ == nullptr) return;
  ASSERT_TRUE(server_->process().is_running()) << server_->process().standard_error();
  server_->process().signal(SIGTERM);
  EXPECT_EQ(server_->process().wait(), 0) << server_->process().standard_error();
}

std::unique_ptr<Process> ServerTest::run_sweepctl(std::vector<std::string> arguments,
                                                  const std::filesystem::path& stdin_file) {
  arguments.insert(arguments.begin(), required_environment("SWEEPCTL_BINARY"));
  arguments.insert(arguments.end(), {"--server", server_->address()});
  const auto folder = server_->folder() / ("sweepctl-" + std::to_string(sweepctl_runs_++));
  auto process = std::make_unique<Process>(arguments, folder, stdin_file);
  process->wait(std::chrono::seconds(300));
  return process;
}

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

MatchConfig shooter_config(ClockKind clock) {
  MatchConfig config;
  config.layers = {"player", "player_shot", "enemy", "enemy_bullet"};
  config.collides = {{"player", "enemy"}, {"player", "enemy_bullet"}, {"player_shot", "enemy"}};
  config.clock = clock;
  config.heartbeat_ticks = 1;
  return config;
}

ReconnectOptions patient() {
  ReconnectOptions options;
  options.silence_max = std::chrono::seconds(20);
  return options;
}

Session joined(Client& client, const std::string& match_id, const std::string& name, Role role,
               const ReconnectOptions& reconnect) {
  JoinOptions options;
  options.reconnect = reconnect;
  options.match_id = match_id;
  options.name = name;
  options.role = role;
  Session session = client.join(options);
  eventually([&] { return session.state() != SessionState::kConnecting; });
  EXPECT_EQ(session.state(), SessionState::kJoined) << session.error().message();
  return session;
}

ObjectSpec object_at(Vec2 position, std::uint32_t layer, double size) {
  ObjectSpec spec;
  spec.position = position;
  spec.parts = {{centered_box(size, size), layer}};
  return spec;
}

std::string to_line(const Event& event) {
  const std::string pair = std::to_string(event.object_a) + " " + std::to_string(event.object_b);
  if (event.kind == EventKind::kEnter) return std::to_string(event.tick) + " enter " + pair;
  return std::to_string(event.tick) + " exit " + pair + " " + to_string(event.reason);
}

}  // namespace sweepd::test
