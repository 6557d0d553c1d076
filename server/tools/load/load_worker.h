// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/dice.h"
#include "tools/load/client_loop.h"
#include "tools/load/load_client.h"
#include "tools/load/load_match.h"
#include "tools/load/match_progress.h"

namespace sweepd::tools::load {

/// One thread with one completion queue that plays the clients of its matches. Its functions may be called
/// from any other thread; they wait until the thread has done it, some milliseconds at most.
class LoadWorker {
 public:
  LoadWorker(const LoadOptions& options, Loops loops);
  /// Breaks all streams off.
  ~LoadWorker();
  LoadWorker(const LoadWorker&) = delete;
  LoadWorker& operator=(const LoadWorker&) = delete;

  /// Its clients join.
  void add(const CreatedMatch& match);
  /// All clients send frames from here on.
  void begin();
  /// What was measured since the last call.
  Measurements take_measurements();
  /// The same, of a measurement that ends: what has waited for the server too long by now is in it, too.
  Measurements take_last_measurements();
  std::vector<MatchProgress> progress();
  /// How long the thread has been computing since it began.
  Duration cpu_time();

 private:
  struct Match;
  struct Due {
    TimePoint due;      ///< With the jitter of this frame,
    TimePoint on_time;  ///< and without.
    LoadClient* client = nullptr;
    friend bool operator>(const Due& a, const Due& b) { return a.due > b.due; }
  };

  void run();
  void do_on_thread(std::function<void()> work);
  void do_posted();
  void send_due();
  void wait_for_completion();
  void handle(void* tag, bool ok);
  void start(const CreatedMatch& match);
  /// One for each stream of a match.
  std::vector<LoadClient::Part> parts_of(std::uint32_t match) const;
  void schedule(Due due);
  void close_all();
  bool all_closed() const;

  const LoadOptions& options_;
  const Loops loops_;
  const std::string authorization_;  ///< Of calls; empty: none.
  grpc::CompletionQueue queue_;
  ResponseReader reader_;
  Measurements measurements_;
  std::vector<std::unique_ptr<Match>> matches_;
  std::vector<Due> dues_;  ///< A heap, the next first.
  base::Dice dice_{1};     ///< Of the jitter.
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  ///< Guarded by the mutex.
  std::atomic<bool> has_posted_{false};
  bool is_stopping_ = false;
  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace sweepd::tools::load
