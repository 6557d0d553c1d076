// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/completion_queue.h>

#include "rpc/service_context.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/query_service.grpc.pb.h"

namespace sweepd::rpc {

/// Waits for the unary calls of both services on a loop's queue. Calls about a match are answered on the match's loop.
void await_match_calls(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue,
                       const ServiceContext& context);
void await_query_calls(v1::QueryService::AsyncService& service, grpc::ServerCompletionQueue& queue,
                       const ServiceContext& context);

}  // namespace sweepd::rpc
