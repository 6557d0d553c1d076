// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sweepd/client.h"

namespace sweepd::bench {

/// Where witnesses find the server.
struct WitnessedServer {
  std::string address;
  std::string ca_file = {};  ///< Of its TLS; empty: it speaks plain text.
};

/// A player of a 60 Hz match of its own, who is told every tick: for how long it was told nothing.
class AttackNeighbour {
 public:
  /// Throws where the match cannot be made.
  explicit AttackNeighbour(const WitnessedServer& server);
  ~AttackNeighbour() { stop(); }
  AttackNeighbour(const AttackNeighbour&) = delete;
  AttackNeighbour& operator=(const AttackNeighbour&) = delete;

  void stop();
  /// What comes from now on counts.
  void begin() { is_counting_ = true; }
  Tick tick() const { return tick_; }
  const std::string& match_id() const { return match_id_; }
  /// Why it plays no more; ok as long as it does or tries to.
  Status error() const { return session_->error(); }
  /// How much later than a tick's period after the one before each update came, ascending; after stop(). Of
  /// a gap of several periods each counts, as an update was due in each. The last gap may be open.
  const std::vector<double>& lateness_ms() const { return lateness_ms_; }

 private:
  void run();

  Client client_;
  std::string match_id_;
  std::optional<Session> session_;
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> is_counting_ = false;
  std::atomic<Tick> tick_ = 0;
  std::vector<double> lateness_ms_;
  std::thread thread_;
};

/// A client that does no harm: it makes 20 calls a second, each on a connection of its own and whether the
/// earlier ones have been answered or not. One that has no good answer within a second has none.
class HonestClient {
 public:
  HonestClient(WitnessedServer server, std::string match_id);
  ~HonestClient() { stop(); }
  HonestClient(const HonestClient&) = delete;
  HonestClient& operator=(const HonestClient&) = delete;

  void stop();
  int asked() const { return asked_; }
  int answered() const { return answered_; }

 private:
  void ask(int caller);
  bool is_answered(bool asks_for_list) const;

  WitnessedServer server_;
  std::string match_id_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::atomic<bool> is_over_ = false;
  std::atomic<int> asked_ = 0;
  std::atomic<int> answered_ = 0;
  std::vector<std::thread> callers_;
};

/// What the server says of a match, if it answers.
Result<MatchInfo> match_of(const WitnessedServer& server, const std::string& match_id);

}  // namespace sweepd::bench
