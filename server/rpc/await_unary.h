// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/completion_queue.h>

#include <memory>
#include <string>
#include <utility>

#include "rpc/service_context.h"
#include "rpc/status.h"
#include "rpc/unary_call.h"

namespace sweepd::rpc {

/// Waits for calls of a generated `RequestX` member of an AsyncService.
template <typename Service, typename Base, typename Request, typename Response>
void await_unary(Service& service, grpc::ServerCompletionQueue& queue,
                 void (Base::*request)(grpc::ServerContext*, Request*, grpc::ServerAsyncResponseWriter<Response>*,
                                       grpc::CompletionQueue*, grpc::ServerCompletionQueue*, void*),
                 typename UnaryCall<Request, Response>::Handler handle) {
  using Call = UnaryCall<Request, Response>;
  typename Call::Method method;
  method.await = [&service, &queue, request](grpc::ServerContext* context, Request* message,
                                             typename Call::Responder* responder, void* tag) {
    (service.*request)(context, message, responder, &queue, &queue, tag);
  };
  method.handle = std::move(handle);
  Call::await(std::make_shared<const typename Call::Method>(std::move(method)));
}

/// Runs `then(host)` on the loop of the match that the request names, or answers that there is none.
template <typename Call, typename Then>
void on_match_loop(const ServiceContext& context, const std::shared_ptr<Call>& call, Then then) {
  const std::string& match_id = call->request().match_id();
  const auto host = context.registry.find(match_id);
  if (!host) return call->finish(match_not_found(match_id));
  host->loop().post([call, host, then = std::move(then)] {
    if (host->match().ended()) return call->finish(match_not_found(host->match_id()));
    then(host);
  });
}

}  // namespace sweepd::rpc
