// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "channel.h"
#include "match_stream.h"
#include "network.h"
#include "server_status.h"
#include "sweepd/client.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd {

using TimePoint = std::chrono::system_clock::time_point;

class Client::Impl {
 public:
  explicit Impl(ClientOptions given)
      : options(std::move(given)),
        security(std::make_shared<const internal::Security>(options.security, options.server)),
        server_error(check_server(options.server, *security)),
        channel(internal::open_channel(options.server, *security)),
        matches(v1::MatchService::NewStub(channel)),
        queries(v1::QueryService::NewStub(channel)),
        replays(v1::ReplayService::NewStub(channel)),
        network(std::make_shared<internal::Network>()) {}

  /// One blocking call of a stub's method.
  template <typename Stub, typename Request, typename Response>
  Status call(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
              const Request& request, Response* response, TimePoint deadline) const {
    if (Status error = await_connection(deadline); !error.ok()) return error;
    grpc::ClientContext context;
    context.set_deadline(deadline);
    if (Status error = security->authorize(context); !error.ok()) return error;
    return internal::from_server((stub.*method)(&context, request, response));
  }

  /// The same within the time of the client's options, with its answer.
  template <typename Stub, typename Request, typename Response>
  Result<Response> ask(Stub& stub,
                       grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                       const Request& request) const {
    Response response;
    if (Status error = call(stub, method, request, &response, deadline()); !error.ok()) return error;
    return response;
  }

  TimePoint deadline() const { return std::chrono::system_clock::now() + options.timeout; }

  internal::Route route(const std::string& match_id) const {
    return {.channel = channel,
            .security = security,
            .server = options.server,
            .match_id = match_id,
            .timeout = options.timeout,
            .follow_endpoint = options.follow_endpoint};
  }

  const ClientOptions options;
  const std::shared_ptr<const internal::Security> security;
  const Status server_error;  ///< What is wrong with options.server or options.security.
  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::MatchService::Stub> matches;
  const std::unique_ptr<v1::QueryService::Stub> queries;
  const std::unique_ptr<v1::ReplayService::Stub> replays;
  const std::shared_ptr<internal::Network> network;  ///< Of the sessions, which may outlive the client.

  /// Up to a second, for a server that is just starting, and because gRPC 1.51 takes a connection that is
  /// still being made for a failed one when something else has set errno meanwhile. The call itself then says
  /// what is wrong. `keep_going` is asked every 50 ms.
  Status await_connection(TimePoint deadline, const KeepGoing& keep_going = {}) const {
    if (!server_error.ok()) return server_error;
    constexpr std::chrono::milliseconds kSlice{50};
    const auto end = std::min(deadline, std::chrono::system_clock::now() + std::chrono::seconds(1));
    while (!channel->WaitForConnected(std::min(end, std::chrono::system_clock::now() + kSlice))) {
      if (std::chrono::system_clock::now() >= end || (keep_going && !keep_going())) break;
    }
    return {};
  }

 private:
  static Status check_server(const std::string& server, const internal::Security& security) {
    const internal::Checked error = internal::check_server(server);
    return error ? error->status() : security.error();
  }
};

}  // namespace sweepd
