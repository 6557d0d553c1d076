// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_unary_call.h>

#include "rpc/answer_deadlines.h"
#include "rpc/byte_service.h"
#include "rpc/grpc_status.h"
#include "rpc/loop_server.h"
#include "rpc/request_bytes.h"
#include "rpc/tag.h"
#include "session/unary_call.h"

namespace sweepd::rpc {

/// gRPC's part of a unary call of a method of `Service`. It deletes itself when it is over. All operations of
/// gRPC are begun on the accepting loop.
template <typename Service, typename Request, typename Response>
class UnaryCall final : public session::UnaryCall<Request, Response> {
 public:
  using Method = session::UnaryMethod<Request, Response>;

  /// Waits for the next call of the method.
  static void accept(LoopServer& server, Service& service, const Method& method) {
    new UnaryCall(server, service, method);
  }

 private:
  using Base = session::UnaryCall<Request, Response>;

  struct Event final : Tag {
    using Handler = void (UnaryCall::*)(bool);
    Event(UnaryCall& owner, Handler function) : call(owner), handler(function) {}
    void run(bool ok) override { (call.*handler)(ok); }
    UnaryCall& call;
    Handler handler;
  };

  UnaryCall(LoopServer& server, Service& service, const Method& method)
      : Base(server.home()), server_(server), service_(service), method_(method), writer_(&context_) {
    context_.AsyncNotifyWhenDone(to_void(done_));
    static const int index = method_index<Request>(false);
    service_.RequestAsyncUnary(index, &context_, &bytes_.buffer, &writer_, &server_.queue(), &server_.queue(),
                               to_void(arrived_));
  }

  void on_arrived(bool ok) {
    if (!ok) {
      delete this;  // The server is shutting down; then `done_` does not come.
      return;
    }
    if (!server_.home().backend().is_shutting_down) accept(server_, service_, method_);
    Base::arrive(server_.origin_of(context_), bytes_, method_);
  }

  void send(const Response& answer) override {
    expect_client_to_take_it();
    writer_.Finish(answer, grpc::Status::OK, to_void(finished_));
  }
  void send(const session::Status& refusal) override {
    expect_client_to_take_it();
    writer_.FinishWithError(to_grpc(refusal), to_void(finished_));
  }

  void expect_client_to_take_it() {
    deadline_ = server_.answers().add(context_, server_.home().loop().now());
  }

  void on_done(bool /*ok*/) {
    if (context_.IsCancelled()) Base::cancelled();
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
  Service& service_;
  const Method method_;
  grpc::ServerContext context_;
  RequestBytes bytes_;  ///< Until the request is parsed.
  grpc::ServerAsyncResponseWriter<Response> writer_;
  AnswerDeadlines::Place deadline_;  ///< Of the answer, once there is one.
  int events_left_ = 2;              ///< Done and finished, in either order.
  Event arrived_{*this, &UnaryCall::on_arrived};
  Event done_{*this, &UnaryCall::on_done};
  Event finished_{*this, &UnaryCall::on_finished};
};

/// Waits for calls of a method of the service.
template <typename Service, typename Request, typename Response>
void accept_calls(LoopServer& server, Service& service,
                  const session::UnaryMethod<Request, Response>& method) {
  UnaryCall<Service, Request, Response>::accept(server, service, method);
}

}  // namespace sweepd::rpc
