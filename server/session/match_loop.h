// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "runtime/loop/loop.h"
#include "runtime/loop/loop_timer.h"
#include "runtime/match/resident_matches.h"
#include "session/backend.h"
#include "session/live_streams.h"
#include "session/match_codec.h"
#include "session/match_moves.h"
#include "session/request_memory.h"
#include "wire/frame_codec.h"

namespace sweepd::session {

struct MatchLoopOptions {
  Endpoint endpoint = {};  ///< Of the loop, as clients are told.
  runtime::Duration idle_match_timeout{};
  runtime::Journal* journal = nullptr;
  runtime::LoopOptions loop = {};
  std::function<void(const runtime::LoadReading&)> on_load =
      {};                                           ///< Called once a second, from the loop's thread.
  std::chrono::milliseconds move_matches_every{0};  ///< See MatchMoves::move_always; 0: not.
};

/// A loop with its matches and the streams that follow them, of every door.
class MatchLoop {
 public:
  /// `poller`: of the door or doors that the loop waits for.
  MatchLoop(Backend& backend, runtime::Poller& poller, const MatchLoopOptions& options);
  ~MatchLoop();

  /// Starts the loop's thread. Once all loops are there: calls may move between them from then on.
  void serve();

  /// In this order, from the thread that started it. Ends the streams; then the thread, when no call is left.
  void end_streams();
  void join();

  /// Runs `work` on this loop: at once if this is its thread.
  template <typename Work>
  void run(Work&& work) {
    if (loop_.is_current()) {
      work();
    } else {
      loop_.post(std::forward<Work>(work));
    }
  }

  Backend& backend() { return backend_; }
  runtime::Loop& loop() { return loop_; }
  runtime::ResidentMatches& matches() { return matches_; }
  std::size_t index() const { return endpoint_.loop; }
  /// Of the loop's thread.
  RequestMemory& request_memory() { return request_memory_; }
  wire::FrameDecoder::Undo& frame_undo() { return frame_undo_; }
  /// As clients are told.
  const Endpoint& endpoint() const { return endpoint_; }

  /// Streams whose home is this loop.
  void add_stream(LiveStream& stream) { streams_.add(stream); }
  void remove_stream(LiveStream& stream) { streams_.remove(stream); }
  /// See LiveStream::expel. On the loop's thread.
  void expel_streams();

  /// Every call that waits for a client or serves one at a door of this loop. From any thread.
  void count_call() { calls_.fetch_add(1, std::memory_order_relaxed); }
  void uncount_call() { calls_.fetch_sub(1, std::memory_order_release); }
  std::size_t calls() const { return calls_.load(std::memory_order_acquire); }

 private:
  void announce_health();
  void beat();
  void watch_load(const MatchLoopOptions& options);

  Backend& backend_;
  const Endpoint endpoint_;
  runtime::Loop loop_;
  runtime::ResidentMatches matches_;
  MatchMoves moves_{*this};
  RequestMemory request_memory_;
  wire::FrameDecoder::Undo frame_undo_;
  LiveStreams streams_;
  std::optional<runtime::LoopTimer> heartbeat_timer_;
  std::atomic<std::size_t> calls_ = 0;
  std::atomic<bool> is_health_announced_ = false;
  runtime::Health::Watch health_watch_;
  std::thread thread_;
};

/// Counts as a call on a loop for as long as it is held: until then no loop ends, and work may go on from
/// loop to loop that no other call waits for.
inline std::shared_ptr<MatchLoop> hold(MatchLoop& home) {
  home.count_call();
  return {&home, [](MatchLoop* held) { held->uncount_call(); }};
}

}  // namespace sweepd::session
