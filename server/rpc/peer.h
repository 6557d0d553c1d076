// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>

#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <string_view>

#include "session/client_budget.h"

namespace sweepd::rpc {

/// Of gRPC's name of a peer: "ipv4:10.0.0.1:40000", "ipv6:%5B::1%5D:40000". Nothing for anything else.
std::optional<boost::asio::ip::tcp::endpoint> endpoint_of_peer(std::string_view peer);

/// Once a call. The request id goes back to the client with the first that it gets.
session::CallOrigin origin_of(session::Backend& backend, grpc::ServerContext& context);

}  // namespace sweepd::rpc
