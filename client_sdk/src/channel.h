// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "field_error.h"
#include "security.h"
#include "sweepd/types.h"

namespace sweepd::internal {

/// A connection of its own: channels to one target would share one otherwise, and all matches its fate.
std::shared_ptr<grpc::Channel> open_channel(const std::string& target, const Security& security);

/// What is wrong with ClientOptions::server. gRPC would take any text: a name without a port as one of HTTPS,
/// and schemes of its own that lead elsewhere.
Checked check_server(const std::string& server);

/// Where a match is reached by a process that reaches its server under `server`. An endpoint that is no host
/// and port leads nowhere else than to the server.
std::string target_of(const Endpoint& endpoint, const std::string& server);

}  // namespace sweepd::internal
