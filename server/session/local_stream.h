// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/assert.h"
#include "session/call_trace.h"
#include "session/client_budget.h"
#include "session/match_loop.h"
#include "session/refusals.h"
#include "session/stream_pipe.h"

namespace sweepd::session {

/// A stream that has nothing to do with a match's loop: it stays on the one that accepted it. It has its pipe
/// closed when the pipe's events have come and all that it has asked for elsewhere is answered.
template <typename Message>
class LocalStream : public LiveStream {
 public:
  using Response = Message;

  LocalStream(const LocalStream&) = delete;
  LocalStream& operator=(const LocalStream&) = delete;

  /// The stream is here. Once; without it nothing but the pipe's `close` comes.
  void arrive(CallOrigin origin) {
    begin_event();  // kDone
    trace_.begin(std::move(origin.request_id), std::move(origin.peer));
    const runtime::LogScope scope = trace_.scope();
    caller_ = std::move(origin.caller);
    home_.add_stream(*this);
    if (backend().is_shutting_down) return shut_down();
    begin();
  }

  /// An event of the pipe.
  void ended(StreamEvent event, bool ok) {
    const runtime::LogScope scope = trace_.scope();
    take(event, ok);
    end_event();
  }

 protected:
  /// `name`: of the rpc.
  LocalStream(MatchLoop& home, StreamPipe<Response>& pipe, const char* name)
      : trace_(name), pipe_(pipe), home_(home), timer_(home.loop().context()) {
    home_.count_call();
  }

  virtual ~LocalStream() {
    SWEEPD_ASSERT(events_under_way_ == 0);
    home_.remove_stream(*this);
    home_.uncount_call();
  }

  virtual void begin() = 0;
  virtual void on_read(bool /*ok*/) {}
  virtual void on_written(bool /*ok*/) {}
  /// To send the status, where nothing else is being written; or else as soon as that is so.
  virtual void finish(const Status& status) = 0;
  /// The door is done with the stream: no operation may be begun any more.
  virtual void on_over() {}

  /// Before an operation of the pipe is begun.
  void begin_event() { ++events_under_way_; }

  /// Runs `work` on the call's loop, soon; the call stays until then. For those who answer from another
  /// thread: `expect_answer` before they are asked, then `answer` once.
  void expect_answer() { ++events_under_way_; }
  template <typename Work>
  void answer(Work work) {
    home_.loop().post([this, work = std::move(work)]() mutable {
      work();
      end_event();
    });
  }

  /// The client has not done in time what it was waited for.
  virtual void on_patience_over() { pipe_.cancel(); }
  /// `on_patience_over` at the end of the time, unless a later call of this or `be_patient` comes first.
  void limit_patience(std::chrono::milliseconds time) {
    ++events_under_way_;
    timer_.expires_after(time);
    timer_.async_wait([this, limit = ++limits_](const boost::system::error_code& error) {
      if (!error && limit == limits_ && !is_done_) on_patience_over();
      end_event();
    });
  }
  void be_patient() {
    ++limits_;  // It may have expired already, and wait for its turn.
    timer_.cancel();
  }

  bool is_over() const { return is_done_; }
  MatchLoop& home() { return home_; }
  Backend& backend() { return home_.backend(); }
  const Caller& caller() const { return caller_; }

  CallTrace trace_;
  StreamPipe<Response>& pipe_;

 private:
  void shut_down() final { finish(server_shutting_down()); }

  void take(StreamEvent event, bool ok) {
    switch (event) {
      case StreamEvent::kRead:
        return on_read(ok);
      case StreamEvent::kWritten:
        return on_written(ok);
      case StreamEvent::kFinished:
        return;
      case StreamEvent::kDone:
        return on_done();
    }
  }

  void on_done() {
    is_done_ = true;
    timer_.cancel();
    on_over();
  }

  void end_event() {
    SWEEPD_ASSERT(events_under_way_ > 0);
    if (--events_under_way_ == 0) pipe_.close();
  }

  MatchLoop& home_;
  Caller caller_;
  boost::asio::steady_timer timer_;
  std::uint64_t limits_ = 0;  ///< Calls of limit_patience and be_patient.
  int events_under_way_ = 0;
  bool is_done_ = false;
};

}  // namespace sweepd::session
