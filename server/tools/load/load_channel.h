// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "tools/sweepctl/server_choice.h"

namespace sweepd::tools::load {

/// A channel to `target`, an address of the chosen server, with a connection of its own.
std::shared_ptr<grpc::Channel> open_load_channel(const std::string& target, const ServerChoice& server);

/// What calls have as `authorization`; empty: nothing.
std::string authorization_for(const ServerChoice& server);

}  // namespace sweepd::tools::load
