// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_unary_call.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "rpc/call_trace.h"
#include "rpc/loop_server.h"
#include "rpc/status.h"
#include "rpc/tag.h"

namespace sweepd::rpc {

/// A call with one request and one answer. It lives on the loop that accepted it and deletes itself when it
/// is over. Whoever handles it answers exactly once, from any thread, and touches it no more.
template <typename Request, typename Response>
class UnaryCall {
 public:
  struct Method {
    /// Asks gRPC for the next call: AsyncService::RequestX.
    std::function<void(LoopServer&, grpc::ServerContext*, Request*,
                       grpc::ServerAsyncResponseWriter<Response>*, void* tag)>
        request_next;
    /// Runs on the accepting loop.
    std::function<void(UnaryCall&)> handle;
  };

  /// Waits for the next call of the method, which must outlive the server.
  static void accept(LoopServer& server, const Method& method) { new UnaryCall(server, method); }

  const Request& request() const { return request_; }
  Response& response() { return response_; }
  LoopServer& server() { return server_; }

  /// Told on the accepting loop if the client gives up or its deadline passes. Set it in `handle`, before the
  /// call is handed on.
  void on_cancel(std::function<void()> callback) { on_cancel_ = std::move(callback); }

  /// For whoever handles the call on another loop than the accepting one: see CallTrace.
  runtime::LogScope log_scope() const { return trace_.scope(); }

  // From whatever loop has the answer; gRPC's operations are all started on the accepting one, which destroys
  // the call.
  void reply() {
    server_.run([this] { writer_.Finish(response_, grpc::Status::OK, to_void(finished_)); });
  }
  void fail(const grpc::Status& status) {
    trace_.note_status(status);
    server_.run([this, status] { writer_.FinishWithError(status, to_void(finished_)); });
  }

 private:
  struct Event final : Tag {
    using Handler = void (UnaryCall::*)(bool);
    Event(UnaryCall& owner, Handler function) : call(owner), handler(function) {}
    void run(bool ok) override { (call.*handler)(ok); }
    UnaryCall& call;
    Handler handler;
  };

  UnaryCall(LoopServer& server, const Method& method) : server_(server), method_(method), writer_(&context_) {
    server_.count_call();
    context_.AsyncNotifyWhenDone(to_void(done_));
    method_.request_next(server_, &context_, &request_, &writer_, to_void(arrived_));
  }

  ~UnaryCall() { server_.uncount_call(); }

  /// "GetMatch" of GetMatchRequest.
  static std::string_view name() {
    const std::string_view request = Request::descriptor()->name();
    return request.substr(0, request.rfind("Request"));
  }

  void on_arrived(bool ok) {
    if (!ok) {
      delete this;  // The server is shutting down; then `done_` does not come.
      return;
    }
    trace_.begin(context_);
    if (server_.backend().is_shutting_down) return fail(server_shutting_down());
    accept(server_, method_);
    const runtime::LogScope scope = log_scope();
    method_.handle(*this);
  }

  void on_done(bool /*ok*/) {
    if (context_.IsCancelled() && on_cancel_) on_cancel_();
    release();
  }

  void on_finished(bool /*ok*/) { release(); }

  void release() {
    if (--events_left_ == 0) delete this;
  }

  LoopServer& server_;
  const Method& method_;
  grpc::ServerContext context_;
  Request request_;
  Response response_;
  grpc::ServerAsyncResponseWriter<Response> writer_;
  std::function<void()> on_cancel_;
  CallTrace trace_{name()};
  int events_left_ = 2;  ///< Done and finished, in either order.
  Event arrived_{*this, &UnaryCall::on_arrived};
  Event done_{*this, &UnaryCall::on_done};
  Event finished_{*this, &UnaryCall::on_finished};
};

}  // namespace sweepd::rpc
