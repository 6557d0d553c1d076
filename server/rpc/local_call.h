// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/assert.h"
#include "rpc/call_trace.h"
#include "rpc/loop_server.h"
#include "rpc/status.h"
#include "rpc/tag.h"

namespace sweepd::rpc {

/// A call with a stream that has nothing to do with a match's loop: it stays on the one that accepted it. It
/// deletes itself when gRPC, its timer and whoever else it has asked for something have given back what is
/// under way.
class LocalCall : public LiveStream {
 public:
  LocalCall(const LocalCall&) = delete;
  LocalCall& operator=(const LocalCall&) = delete;

 protected:
  struct Event final : Tag {
    Event(LocalCall& owner, std::function<void(bool)> function) : call(owner), handler(std::move(function)) {}
    void run(bool ok) override {
      const runtime::LogScope scope = call.trace_.scope();
      handler(ok);
      call.end_event();
    }
    LocalCall& call;
    std::function<void(bool)> handler;
  };

  /// `name`: of the rpc.
  LocalCall(LoopServer& server, const char* name)
      : trace_(name), server_(server), timer_(server.loop().context()) {
    server_.count_call();
    context_.AsyncNotifyWhenDone(to_void(done_));
  }

  virtual ~LocalCall() {
    SWEEPD_ASSERT(events_under_way_ == 0);
    server_.remove_stream(*this);
    server_.uncount_call();
  }

  virtual void accept_next() = 0;
  /// The call is here.
  virtual void begin() = 0;
  /// To send the status, where nothing else is being written; or else as soon as that is so.
  virtual void finish(const grpc::Status& status) = 0;
  /// gRPC is done with the call: no operation may be started any more.
  virtual void on_over() {}

  /// The tag for an operation that is started with it.
  void* start(Event& event) {
    ++events_under_way_;
    return to_void(event);
  }

  /// Runs `work` on the call's loop, soon; the call stays until then. For those who answer from another
  /// thread: `expect_answer` before they are asked, then `answer` once.
  void expect_answer() { ++events_under_way_; }
  template <typename Work>
  void answer(Work work) {
    server_.loop().post([this, work = std::move(work)]() mutable {
      work();
      end_event();
    });
  }

  /// The client has not done in time what it was waited for.
  virtual void on_patience_over() { context_.TryCancel(); }
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
  LoopServer& server() { return server_; }
  Backend& backend() { return server_.backend(); }

  grpc::ServerContext context_;
  CallTrace trace_;
  Event arrived_{*this, [this](bool ok) { on_arrived(ok); }};

 private:
  void shut_down() final { finish(server_shutting_down()); }

  void on_arrived(bool ok) {
    if (!ok) return;      // The server is shutting down; then `done_` does not come.
    ++events_under_way_;  // done_
    trace_.begin(context_);
    const runtime::LogScope scope = trace_.scope();
    server_.add_stream(*this);
    if (backend().is_shutting_down) return shut_down();
    accept_next();
    begin();
  }

  void on_done() {
    is_done_ = true;
    timer_.cancel();
    on_over();
  }

  void end_event() {
    SWEEPD_ASSERT(events_under_way_ > 0);
    if (--events_under_way_ == 0) delete this;
  }

  LoopServer& server_;
  boost::asio::steady_timer timer_;
  std::uint64_t limits_ = 0;  ///< Calls of limit_patience and be_patient.
  int events_under_way_ = 1;  ///< At first, arrived_.
  bool is_done_ = false;
  Event done_{*this, [this](bool) { on_done(); }};
};

}  // namespace sweepd::rpc
