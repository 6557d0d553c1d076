// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace sweepd::bench {

/// Where a hostile client strikes, and for how long.
struct AttackTarget {
  int port = 0;         ///< The server's own: what an attack needs is made there.
  int door = 0;         ///< Where it strikes.
  bool is_tls = false;  ///< The door's, be it the server or HAProxy.
  std::chrono::steady_clock::time_point end;

  bool goes_on() const { return std::chrono::steady_clock::now() < end; }
  /// Before another try, so that a server that is gone is not asked without a break.
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }
  void wait_for_end() const { std::this_thread::sleep_until(end); }
};

/// One way to be hostile. It runs in a process of its own, which is killed if it does not end in time.
struct Attack {
  std::string name;
  std::string what;
  std::function<void(const AttackTarget&)> run;
  std::string shell = {};  ///< What a shell does before it becomes the server; $0 is a folder.
  bool is_front = false;   ///< Through the front that deploy/haproxy ships.
  bool is_tls = false;     ///< The server itself speaks TLS, with a key of RSA: the dearest for it.
};

/// By what they misuse.
std::vector<Attack> frame_attacks();
std::vector<Attack> match_attacks();
std::vector<Attack> event_attacks();
std::vector<Attack> maxima_attacks();
std::vector<Attack> answer_attacks();
std::vector<Attack> connection_attacks();

/// `body` in so many threads at once.
template <typename Body>
void in_threads(int count, Body body) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&body, i] { body(i); });
}

}  // namespace sweepd::bench
