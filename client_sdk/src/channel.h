// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "sweepd/types.h"

namespace sweepd::internal {

/// A connection of its own: channels to one target would share one otherwise, and all matches its fate.
std::shared_ptr<grpc::Channel> open_channel(const std::string& target);

/// Where a match is reached, for somebody who reaches the server under `server`.
std::string target_of(const Endpoint& endpoint, const std::string& server);

}  // namespace sweepd::internal
