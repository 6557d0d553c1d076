// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/budgets/client_limits.h"
#include "session/match_loop.h"
#include "session/stream_pipe.h"
#include "unit/session/text_bytes.h"

namespace sweepd::session {

/// A door's side of a stream, played by a test: it remembers what the stream asks of it.
template <typename Session>
class FakePipe final : public StreamPipe<typename Session::Response> {
 public:
  using Response = typename Session::Response;

  explicit FakePipe(MatchLoop& accepting) : stream_(std::make_unique<Session>(accepting, *this)) {}

  Session& stream() { return *stream_; }

  void read() override { ++reads; }
  MessageBytes& incoming() override { return bytes; }
  void write(const Response& message) override { written.push_back(message); }
  void answer(const Response& message) override { answers.push_back(message); }
  void finish(const Status& status) override { finished.push_back(status); }
  void cancel() override { ++cancels; }
  void close() override {
    ++closes;
    stream_.reset();
  }

  TextBytes bytes;
  std::vector<Response> written;
  std::vector<Response> answers;
  std::vector<Status> finished;
  int reads = 0;
  int cancels = 0;
  int closes = 0;

 private:
  std::unique_ptr<Session> stream_;
};

/// A server of two loops whose threads do not run: a test runs their rounds.
class IdleLoops {
 public:
  IdleLoops() {
    for (auto& loop : loops_) backend.loops.push_back(&loop);
  }

  MatchLoop& operator[](std::size_t index) { return loops_[index]; }
  /// Called wherever a loop is woken: stands for its thread, where that is the faster one.
  void on_wake(std::function<void()> call) { poller_.on_wake = std::move(call); }
  /// Until there is nothing posted on any.
  void run_all() {
    for (int round = 0; round < 8; ++round) {
      for (auto& loop : loops_) loop.loop().run_round();
    }
  }
  CallOrigin origin() {
    return {.request_id = "a-request",
            .peer = "a-peer",
            .token = {},
            .caller = caller_named(backend, "a-client")};
  }

 private:
  class IdlePoller final : public runtime::Poller {
   public:
    runtime::Duration poll(runtime::TimePoint) override { return {}; }
    void wake() override {
      if (on_wake) on_wake();
    }
    std::function<void()> on_wake;
  };

  static runtime::ClientLimits limits() {
    runtime::ClientLimits limits;
    limits.memory_max = std::uint64_t{1} << 34;
    return limits;
  }

 public:
  Backend backend{2, 10, runtime::budget_limits(limits(), 1024, 10, 10), limits()};

 private:
  IdlePoller poller_;
  std::array<MatchLoop, 2> loops_{
      {{backend, poller_, {.endpoint = {{}, 0, 0}, .idle_match_timeout = std::chrono::hours(1)}},
       {backend, poller_, {.endpoint = {{}, 0, 1}, .idle_match_timeout = std::chrono::hours(1)}}}};
};

}  // namespace sweepd::session
