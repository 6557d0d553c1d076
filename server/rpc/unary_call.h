// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_unary_call.h>

#include <functional>
#include <memory>
#include <utility>

#include "rpc/member_tag.h"

namespace sweepd::rpc {

/// One unary call, from waiting for it to its end. Keeps itself alive until gRPC is through with it.
/// Accepted on its queue's loop; `finish` may be called from any thread, once.
template <typename Request, typename Response>
class UnaryCall : public std::enable_shared_from_this<UnaryCall<Request, Response>> {
 public:
  using Responder = grpc::ServerAsyncResponseWriter<Response>;
  using Handler = std::function<void(const std::shared_ptr<UnaryCall>&)>;
  using Await = std::function<void(grpc::ServerContext*, Request*, Responder*, void* tag)>;
  /// How to wait for a call of one method, and what to do with it.
  struct Method {
    Await await;
    Handler handle;
  };

  /// Waits for the next call of `method`, and for the one after it as soon as it has come.
  static void await(std::shared_ptr<const Method> method) {
    const auto call = std::make_shared<UnaryCall>(std::move(method));
    call->self_ = call;
    call->context_.AsyncNotifyWhenDone(&call->done_tag_);
    call->method_->await(&call->context_, &call->request_, &call->responder_, &call->accepted_tag_);
  }

  explicit UnaryCall(std::shared_ptr<const Method> method) : method_(std::move(method)) {}

  const Request& request() const { return request_; }
  Response& response() { return response_; }
  void finish(const grpc::Status& status = grpc::Status::OK) {
    if (status.ok()) {
      responder_.Finish(response_, status, &finished_tag_);
    } else {
      responder_.FinishWithError(status, &finished_tag_);
    }
  }

  /// Set by the handler, before it hands the call to another thread. Runs on the accepting loop if the client gives up.
  std::function<void()> on_cancelled;

 private:
  void accepted(bool ok) {
    if (!ok) return self_.reset();  // The server stops: no call, and no other tag will come.
    await(method_);
    method_->handle(this->shared_from_this());
  }
  void done(bool) {
    if (context_.IsCancelled() && on_cancelled) on_cancelled();
    is_done_ = true;
    release();
  }
  void finished(bool) {
    is_finished_ = true;
    release();
  }
  void release() {
    if (is_done_ && is_finished_) self_.reset();
  }

  const std::shared_ptr<const Method> method_;
  grpc::ServerContext context_;
  Request request_;
  Response response_;
  Responder responder_{&context_};
  MemberTag<UnaryCall> accepted_tag_{*this, &UnaryCall::accepted};
  MemberTag<UnaryCall> done_tag_{*this, &UnaryCall::done};
  MemberTag<UnaryCall> finished_tag_{*this, &UnaryCall::finished};
  bool is_done_ = false;
  bool is_finished_ = false;
  std::shared_ptr<UnaryCall> self_;
};

}  // namespace sweepd::rpc
