// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "integration/support/server_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test {

/// A server with its page of metrics.
class GuardedServerTest : public ServerTest {
 protected:
  void SetUp() override {}

  void start_with(std::vector<std::string> options) {
    const auto port_file = folder_.path() / "http-port";
    options.insert(options.end(), {"--http-listen", "127.0.0.1:0", "--http-port-file", port_file.string()});
    start(options);
    http_port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
  }

  std::string page(const std::string& path) const { return get(http_port_, path); }

  /// Of "sweepd_connections" or "sweepd_budget_refusals_total{…}"; -1: there is none.
  double metric(const std::string& name) const {
    const std::string text = page("/metrics");
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }

  TemporaryFolder folder_;
  std::uint16_t http_port_ = 0;
};

/// A player of a match of its own at 60 Hz, who is told every tick: how long it was told nothing at most,
/// and the most memory that a process had meanwhile.
class Neighbour {
 public:
  Neighbour(Client client, const Process& watched)
      : client_(std::move(client)), watched_(watched), session_(join()), thread_([this] { run(); }) {}
  ~Neighbour() { stop(); }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

  void stop() {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::chrono::milliseconds longest_gap() const { return std::chrono::milliseconds(longest_gap_ms_); }
  std::size_t memory_most() const { return memory_most_; }
  Tick ticks() const { return ticks_; }
  Status error() const { return session_.error(); }

 private:
  Session join() {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = 60;
    const auto match = client_.create_match(config);
    EXPECT_TRUE(match.ok()) << match.status().message();
    return joined(client_, match->match_id, "neighbour", Role::kPlayer);
  }

  void run() {
    using Clock = std::chrono::steady_clock;
    eventually([this] { return session_.tick() > 0; });
    Tick seen = session_.tick();
    Clock::time_point last = Clock::now();
    while (!is_over_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      drain(session_);
      memory_most_ = std::max(memory_most_.load(), resident_bytes_of(watched_));
      const Clock::time_point now = Clock::now();
      const auto gap = std::chrono::duration_cast<std::chrono::milliseconds>(now - last).count();
      longest_gap_ms_ = std::max<std::int64_t>(longest_gap_ms_, gap);
      if (session_.tick() == seen) continue;
      ticks_ += session_.tick() - seen;
      seen = session_.tick();
      last = now;
    }
  }

  Client client_;
  const Process& watched_;
  Session session_;
  std::atomic<bool> is_over_ = false;
  std::atomic<std::int64_t> longest_gap_ms_ = 0;
  std::atomic<std::size_t> memory_most_ = 0;
  std::atomic<Tick> ticks_ = 0;
  std::thread thread_;
};

}  // namespace sweepd::test
