// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "session/refusals.h"
#include "session/stream.h"

namespace sweepd::session {

/// A stream that has nothing to do with a match's loop: it stays on the one that accepted it. It has its pipe
/// closed when the pipe's events have come and all that it has asked for elsewhere is answered.
template <typename Message>
class LocalStream : public Stream {
 public:
  using Response = Message;

  /// An event of the pipe.
  void ended(StreamEvent event, bool ok) {
    const runtime::LogScope scope = trace_.scope();
    take(event, ok);
    end_event();
  }

 protected:
  /// `name`: of the rpc.
  LocalStream(MatchLoop& home, StreamPipe<Response>& pipe, const char* name)
      : Stream(home, pipe, name, rpc_of(*Message::descriptor(), true)),
        out_(pipe),
        timer_(home.loop().context()) {}
  ~LocalStream() override { accepting().remove_stream(*this); }

  /// What was written is out, and the stream goes on.
  virtual void write_next() {}
  /// The stream has been ended; its status, or its last message, goes out next.
  virtual void on_finishing() {}
  /// The door is done with the stream: no operation may be begun any more.
  virtual void on_over() {}

  void beat() override {
    if (!has_good_ticket()) finish(ticket_expired());
    backend().expulsions.count_ended(expel());
  }

  std::uint32_t expel() final {
    const auto since = take_seen_expulsions();
    if (!since || !is_wanted()) return 0;
    const Status expulsion = find_expulsion(principal().subject, *since);
    if (expulsion.ok()) return 0;
    finish(expulsion);
    return 1;
  }

  /// One at a time, until the stream is ended.
  void write(const Response& message) {
    SWEEPD_ASSERT(is_wanted() && !is_writing_);
    is_writing_ = true;
    begin_event();
    out_.write(message);
  }
  /// Ends the stream with a last message and OK, while nothing is being written.
  void finish_with(const Response& message) {
    SWEEPD_ASSERT(is_wanted() && !is_writing_);
    trace_.note_status(Status{});
    final_status_.emplace();
    on_finishing();
    begin_event();
    out_.answer(message);
  }
  void finish(const Status& status) override {
    if (!is_wanted()) return;
    trace_.note_status(status);
    final_status_ = status;
    on_finishing();
    if (!is_writing_) send(*final_status_);
  }

  /// Runs `work` on the call's loop, soon; the call stays until then. For answers from another thread:
  /// `expect_answer` before it is asked, then `answer` once.
  void expect_answer() { begin_event(); }
  template <typename Work>
  void answer(Work work) {
    accepting().loop().post([this, work = std::move(work)]() mutable {
      work();
      end_event();
    });
  }

  /// The client has not done in time what it was waited for.
  virtual void on_patience_over() { pipe_.cancel(); }
  /// `on_patience_over` at the end of the time, unless a later call of this comes first, or what is being
  /// written is out.
  void limit_patience(std::chrono::milliseconds time) {
    begin_event();
    timer_.expires_after(time);
    timer_.async_wait([this, limit = ++limits_](const boost::system::error_code& error) {
      if (!error && limit == limits_ && !is_over_) on_patience_over();
      end_event();
    });
  }

  /// It has not been ended, by this side or the other.
  bool is_wanted() const { return !is_over_ && !final_status_; }
  bool is_writing() const { return is_writing_; }

 private:
  void end_event_at_home(std::function<void()> work) final {
    answer([this, work = std::move(work)] {
      const runtime::LogScope scope = trace_.scope();
      work();
    });
  }

  void on_written(bool ok) final {
    is_writing_ = false;
    ++limits_;  // It may have expired already, and wait for its turn.
    timer_.cancel();
    if (!ok || is_over_) return;  // The stream is broken, and kDone will say so.
    final_status_ ? send(*final_status_) : write_next();
  }

  void on_done(bool /*ok*/) final {
    is_over_ = true;
    timer_.cancel();
    on_over();
  }

  void end_event() {
    forget_event();
    if (!has_events()) pipe_.close();
  }

  StreamPipe<Response>& out_;
  boost::asio::steady_timer timer_;
  std::uint64_t limits_ = 0;            ///< Of patience, that have begun or ended.
  std::optional<Status> final_status_;  ///< From the end on; sent as soon as nothing is being written.
  bool is_writing_ = false;
  bool is_over_ = false;
};

}  // namespace sweepd::session
