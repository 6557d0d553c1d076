// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>

#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/assert.h"
#include "rpc/loop_server.h"
#include "rpc/status.h"
#include "rpc/tag.h"
#include "rpc/update_codec.h"
#include "runtime/subscriber.h"

namespace sweepd::rpc {

/// How much may wait while a write is under way. When more comes, the reader is too slow and the stream ends:
/// it is told so rather than given a log with gaps. One tick may pass the bound, or no tick larger than it
/// could be told.
inline constexpr std::size_t kPendingBytesMax = std::size_t{1} << 20;

/// A call that follows a match: Play or Watch. It deletes itself when it is over and gRPC has given back all
/// its tags.
///
/// It lives on one loop, its home: first that of the queue it arrived on, then that of its match. Whatever
/// its queue delivers after it has moved is posted to its home, so that its state is touched by one thread
/// only. `home_` itself is written by the accepting loop, once, while no event but `done_` can be under way.
///
/// One write is under way at most (a second would abort the process). What ticks bring meanwhile gathers in
/// one update.
template <typename Stream, typename Response>
class StreamCall : public LiveStream, public runtime::Subscriber {
 public:
  StreamCall(const StreamCall&) = delete;
  StreamCall& operator=(const StreamCall&) = delete;

 protected:
  struct Event final : Tag {
    using Handler = void (StreamCall::*)(bool);
    Event(StreamCall& owner, Handler function) : call(owner), handler(function) {}
    void run(bool ok) override { call.dispatch(handler, ok); }
    StreamCall& call;
    Handler handler;
  };

  explicit StreamCall(LoopServer& accepting)
      : accepting_(accepting), home_(&accepting), stream_(&context_), patience_(accepting.loop().context()) {
    accepting_.count_call();
    context_.AsyncNotifyWhenDone(to_void(done_));
  }

  virtual ~StreamCall() {
    SWEEPD_ASSERT(host_ == nullptr && events_under_way_ == 0);
    if (is_counted_) accepting_.backend().streams.fetch_sub(1);
    accepting_.uncount_call();
  }

  virtual void accept_next() = 0;
  /// The call is here.
  virtual void begin() = 0;
  /// The call has come to the loop of its match.
  virtual void attach() = 0;
  virtual void fill_ended(const runtime::MatchHost& host, Response& response) = 0;
  virtual void on_read(bool /*ok*/) {}

  LoopServer& home() { return *home_; }
  bool is_over() const { return final_status_.has_value() || is_done_; }

  /// Goes on in `attach` on the loop of the match, or ends the call.
  void move_to_match(const runtime::MatchId& id) {
    const auto place = accepting_.backend().registry.find(id);
    if (!place) return finish(match_not_found(id));
    LoopServer& target = *accepting_.backend().loops[*place];
    if (&target == home_) return attach();
    home_->remove_stream(*this);
    home_ = &target;
    home_->loop().post([this] {
      home_->add_stream(*this);
      if (!is_refused_by_shutdown()) attach();
      release();
    });
  }

  /// Joined or started: goes out at once, before any update.
  void write_first(const Response& response, runtime::MatchHost& host) {
    host_ = &host;
    write(response);
  }

  /// Leaves the match. What waits to be told still is, then the stream ends.
  void finish_after_updates(const grpc::Status& status) {
    if (is_over()) return;
    final_status_ = status;
    leave_match();
    pump();
  }

  /// Leaves the match and ends the stream; what waits is dropped.
  void finish(const grpc::Status& status) {
    if (is_over()) return;
    final_status_ = status;
    drop_updates();
    leave_match();
    pump();
    if (is_write_under_way_) limit_patience();
  }

  void begin_event() { ++events_under_way_; }

  LoopServer& accepting_;
  LoopServer* home_;
  grpc::ServerContext context_;
  Stream stream_;
  runtime::MatchHost* host_ = nullptr;  ///< While it follows the match.
  Event arrived_{*this, &StreamCall::on_arrived};
  Event read_{*this, &StreamCall::on_read};

 private:
  void shut_down() final { finish(server_shutting_down()); }

  void deliver(const runtime::TickReport& report) final {
    if (is_write_under_way_ && builder_.bytes() > kPendingBytesMax)
      return finish(slow_reader(kPendingBytesMax));
    builder_.add(report, *pending_.mutable_update());
    pump();
  }

  bool is_behind() const final { return builder_.bytes() > kPendingBytesMax / 2; }

  void match_ended(const runtime::MatchHost& host) final {
    host_ = nullptr;
    if (is_over()) return;
    fill_ended(host, ended_.emplace());
    final_status_ = grpc::Status::OK;
    pump();
  }

  // On the accepting loop's thread, which alone writes home_.
  void dispatch(typename Event::Handler handler, bool ok) {
    if (home_ == &accepting_) return handle(handler, ok);
    home_->loop().post([this, handler, ok] { handle(handler, ok); });
  }

  void handle(typename Event::Handler handler, bool ok) {
    const LoopServer* const home = home_;
    --events_under_way_;
    (this->*handler)(ok);
    // If it has moved, it is its new home's business now. It still exists: done_ has yet to pass through this
    // thread.
    if (home_ == home) release();
  }

  void on_arrived(bool ok) {
    if (!ok) return;  // The server is shutting down; then `done_` does not come.
    begin_event();    // done_
    home_->add_stream(*this);
    if (is_refused_by_shutdown()) return;
    accept_next();
    Backend& backend = accepting_.backend();
    is_counted_ = true;
    if (backend.streams.fetch_add(1) >= backend.streams_max)
      return finish(too_many_streams(backend.streams_max));
    begin();
  }

  bool is_refused_by_shutdown() {
    if (!accepting_.backend().is_shutting_down) return false;
    finish(server_shutting_down());
    return true;
  }

  // Finished, or given up by the client: no operation may be started any more.
  void on_done(bool /*ok*/) {
    is_done_ = true;
    drop_updates();
    leave_match();
    patience_.cancel();
  }

  void on_written(bool ok) {
    is_write_under_way_ = false;
    patience_.cancel();
    if (!ok) return;  // The stream is broken, and done_ will say so.
    const bool was_behind = is_behind();
    pump();
    if (was_behind && host_ != nullptr) host_->resume_ticks();
  }

  void on_finished(bool /*ok*/) {}

  // Starts what comes next: the pending update, the last message, the status.
  void pump() {
    if (is_write_under_way_ || is_finish_under_way_ || is_done_) return;
    if (!builder_.empty()) {
      write(pending_);  // Serialised within the call: the message is ours again.
      builder_.reset();
      pending_.mutable_update()->Clear();
    } else if (ended_) {
      write(*ended_);
      ended_.reset();
    } else if (final_status_) {
      is_finish_under_way_ = true;
      begin_event();
      stream_.Finish(*final_status_, to_void(finished_));
    }
  }

  void write(const Response& response) {
    SWEEPD_ASSERT(!is_write_under_way_ && !is_finish_under_way_);
    is_write_under_way_ = true;
    begin_event();
    stream_.Write(response, to_void(written_));
  }

  void drop_updates() {
    builder_.reset();
    pending_.Clear();
    ended_.reset();
  }

  void leave_match() {
    if (host_ != nullptr) std::exchange(host_, nullptr)->leave(*this);
  }

  // The status can go out only after the write that is under way; who does not take even that is cut off.
  void limit_patience() {
    begin_event();
    patience_.expires_after(std::chrono::seconds(5));
    patience_.async_wait([this](const boost::system::error_code& error) {
      const auto expired = [this, error] {
        --events_under_way_;
        if (!error && is_write_under_way_) context_.TryCancel();
        release();
      };
      home_->run(expired);
    });
  }

  void release() {
    if (events_under_way_ > 0) return;
    home_->remove_stream(*this);
    delete this;
  }

  UpdateBuilder builder_;
  Response pending_;  ///< Has an update, which builder_ fills.
  std::optional<Response> ended_;
  std::optional<grpc::Status> final_status_;
  boost::asio::steady_timer patience_;
  int events_under_way_ = 1;  ///< Tags that gRPC has yet to give back; at first, arrived_.
  bool is_counted_ = false;
  bool is_write_under_way_ = false;
  bool is_finish_under_way_ = false;
  bool is_done_ = false;
  Event done_{*this, &StreamCall::on_done};
  Event written_{*this, &StreamCall::on_written};
  Event finished_{*this, &StreamCall::on_finished};
};

}  // namespace sweepd::rpc
