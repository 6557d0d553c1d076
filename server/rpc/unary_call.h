// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_unary_call.h>
#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "rpc/answer_deadlines.h"
#include "rpc/byte_service.h"
#include "rpc/call_trace.h"
#include "rpc/client_budget.h"
#include "rpc/loop_server.h"
#include "rpc/parse_request.h"
#include "rpc/status.h"
#include "rpc/tag.h"

namespace sweepd::rpc {

/// A call with one request and one answer. It lives on the loop that accepted it and deletes itself when it
/// is over. Whoever handles it answers exactly once, from any thread, and touches it no more.
template <typename Request, typename Response>
class UnaryCall {
 public:
  struct Method {
    /// Of the service that has it: `next_of`.
    std::function<void(LoopServer&, grpc::ServerContext&, grpc::ByteBuffer&,
                       grpc::ServerAsyncResponseWriter<Response>&, void* tag)>
        request_next;
    /// Runs on the accepting loop.
    std::function<void(UnaryCall&)> handle;
    bool is_relief = false;  ///< Takes next to no memory, or frees some: handled even where it is short.
  };

  /// Waits for the next call of the method, which must outlive the server.
  static void accept(LoopServer& server, const Method& method) { new UnaryCall(server, method); }

  const Request& request() const { return request_; }
  Response& response() { return response_; }
  LoopServer& server() { return server_; }
  /// Of the client.
  const runtime::Budgets::AccountPtr& account() const { return caller_.account; }
  /// Whose budgets it is charged to.
  const runtime::BudgetKey& budget_key() const { return caller_.account->key(); }

  /// Told on the accepting loop if the client gives up or its deadline passes. Set it in `handle`, before the
  /// call is handed on.
  void on_cancel(std::function<void()> callback) { on_cancel_ = std::move(callback); }

  /// For whoever handles the call on another loop than the accepting one: see CallTrace.
  runtime::LogScope log_scope() const { return trace_.scope(); }

  // From whatever loop has the answer; gRPC's operations are all started on the accepting one, which destroys
  // the call.
  void reply() {
    server_.run([this] { answer(); });
  }
  void fail(const grpc::Status& status) {
    trace_.note_status(status);
    server_.run([this, status] { finish(status); });
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
    method_.request_next(server_, context_, bytes_, writer_, to_void(arrived_));
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
    // First of all: what cannot be read is charged, too.
    if (const grpc::Status refusal = admit(); !refusal.ok()) return fail(refusal);
    if (is_too_large(bytes_)) return fail(request_too_large(bytes_.Length()));
    if (const auto fault = parse_request(bytes_, request_)) return fail(invalid_request(*fault));
    method_.handle(*this);
  }

  grpc::Status admit() {
    Backend& backend = server_.backend();
    if (!method_.is_relief && backend.memory.is_full()) return memory_is_short(backend.memory);
    caller_ = caller_of(backend, context_);
    auto place = backend.budgets.take(caller_.account, runtime::Resource::kCalls);
    if (!place) return over_budget(place.error());
    place_ = std::move(*place);
    if (const grpc::Status full = find_room(); !full.ok()) return full;
    return take_memory(bytes_.Length());
  }

  // Before work goes into an answer that would not be let out: a client that takes none has none of this.
  grpc::Status find_room() {
    constexpr std::size_t kPartOfBudget = 16;
    runtime::Budgets& budgets = server_.backend().budgets;
    const std::size_t bytes = budgets.limit(runtime::Resource::kBytes).of_key / kPartOfBudget;
    const auto room = budgets.take(caller_.account, runtime::Resource::kBytes, bytes);
    return room ? grpc::Status::OK : over_budget(room.error());
  }

  // Of the request until it is answered, then of the answer until it is taken.
  grpc::Status take_memory(std::size_t bytes) {
    memory_ = {};
    auto share = take_message(server_.backend(), caller_.account, bytes);
    if (!share) return share.error();
    memory_ = std::move(*share);
    return grpc::Status::OK;
  }

  void answer() {
    if (const grpc::Status refusal = take_memory(response_.ByteSizeLong()); !refusal.ok()) {
      trace_.note_status(refusal);
      return finish(refusal);
    }
    expect_client_to_take_it();
    writer_.Finish(response_, grpc::Status::OK, to_void(finished_));
    forget_messages();
  }

  void finish(const grpc::Status& status) {
    expect_client_to_take_it();
    writer_.FinishWithError(status, to_void(finished_));
    forget_messages();
  }

  void expect_client_to_take_it() { deadline_ = server_.answers().add(context_, server_.loop().now()); }

  // gRPC has the answer as bytes: once is enough.
  void forget_messages() {
    Request().Swap(&request_);
    Response().Swap(&response_);
  }

  void on_done(bool /*ok*/) {
    if (context_.IsCancelled() && on_cancel_) on_cancel_();
    release();
  }

  void on_finished(bool /*ok*/) {
    server_.answers().remove(deadline_);
    release();
  }

  void release() {
    if (--events_left_ == 0) delete this;
  }

  LoopServer& server_;
  const Method& method_;
  grpc::ServerContext context_;
  grpc::ByteBuffer bytes_;  ///< Of the request, until it is parsed.
  Request request_;
  Response response_;
  grpc::ServerAsyncResponseWriter<Response> writer_;
  std::function<void()> on_cancel_;
  CallTrace trace_{name()};
  Caller caller_;
  BudgetShare place_;
  BudgetShare memory_;
  AnswerDeadlines::Place deadline_;  ///< Of the answer, once there is one.
  int events_left_ = 2;              ///< Done and finished, in either order.
  Event arrived_{*this, &UnaryCall::on_arrived};
  Event done_{*this, &UnaryCall::on_done};
  Event finished_{*this, &UnaryCall::on_finished};
};

/// How calls of a method of one of the loop's services are asked for.
template <typename Request, typename Service>
auto next_of(Service& (LoopServer::*service)()) {
  return [service, method = method_index<Request>(false)](LoopServer& to, grpc::ServerContext& context,
                                                          grpc::ByteBuffer& bytes, auto& writer, void* tag) {
    (to.*service)().request_unary(method, context, bytes, writer, to.queue(), tag);
  };
}

}  // namespace sweepd::rpc
