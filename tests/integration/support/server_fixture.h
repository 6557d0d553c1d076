// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "integration/support/process.h"
#include "sweepd/client.h"

namespace sweepd::test {

/// A real sweepd on a port of its own on loopback. It refuses no match for being overloaded, but where
/// `options` say when.
class ServerProcess {
 public:
  /// `port` 0: any free one.
  explicit ServerProcess(const std::vector<std::string>& options = {}, int port = 0);

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  Client client(bool follow_endpoint = true) const;
  /// After a SIGSTOP: lets it go on, and returns when it serves again and waits for signals. A signal that
  /// comes sooner may meet a thread that has not woken up yet and never looks for it.
  void go_on();
  int port() const { return port_; }
  Process& process() { return *process_; }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<Process> process_;
  int port_ = 0;
};

/// A server per test, which has to be alive and well at the end of it and to stop cleanly when told to.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override { start(); }
  void TearDown() override;
  void start(const std::vector<std::string>& options = {}) {
    server_ = std::make_unique<ServerProcess>(options);
  }

  /// Runs sweepctl against the server to its end.
  std::unique_ptr<Process> run_sweepctl(std::vector<std::string> arguments,
                                        const std::filesystem::path& stdin_file = {});

  ServerProcess& server() { return *server_; }
  Client client() { return server_->client(); }

  bool stopped_by_test_ = false;

 private:
  std::unique_ptr<ServerProcess> server_;
  int sweepctl_runs_ = 0;
};

/// Waits until `condition` holds; false if it does not within the time. The time is for machines at their
/// slowest: it is no bound on speed.
bool eventually(const std::function<bool()>& condition,
                std::chrono::milliseconds time = std::chrono::seconds(30));

/// Waits until a Session or a Watcher is in that state.
template <typename Stream>
::testing::AssertionResult is_in(const Stream& stream, SessionState state,
                                 std::chrono::milliseconds time = std::chrono::seconds(30)) {
  if (eventually([&] { return stream.state() == state; }, time)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "in state " << static_cast<int>(stream.state()) << ": "
                                       << stream.error().message();
}

/// Layers 0 player, 1 player_shot, 2 enemy, 3 enemy_bullet, and what of them collides.
MatchConfig shooter_config(ClockKind clock);

/// Of a stream in a test that is not of silence: a machine at its slowest may be silent for as long.
ReconnectOptions patient();

/// Joins and waits for the seat.
Session joined(Client& client, const std::string& match_id, const std::string& name, Role role,
               const ReconnectOptions& reconnect = patient());

/// A box of `size` units around `position`.
ObjectSpec object_at(Vec2 position, std::uint32_t layer, double size = 8);

/// All events that have been received and not polled.
template <typename Source>
std::vector<Event> drain(Source& source) {
  std::vector<Event> events;
  while (auto event = source.poll_event()) events.push_back(*event);
  return events;
}

/// "tick enter a b" or "tick exit a b REASON".
std::string to_line(const Event& event);

}  // namespace sweepd::test
