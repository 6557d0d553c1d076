// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "rpc/status.h"
#include "runtime/replays/replay_library.h"

namespace sweepd::rpc {

/// What ReplayService answers where it cannot do what is asked.

grpc::Status no_journal();
grpc::Status replay_unavailable(const runtime::ReplayError& error, const runtime::MatchId& id);
grpc::Status replay_lost(const runtime::MatchId& id, const std::string& what);
grpc::Status replay_too_large(std::size_t bytes_max);
grpc::Status too_many_verifications(const std::string& what);
grpc::Status verification_too_long(const std::string& what);
grpc::Status verification_too_large(const std::string& what);
grpc::Status verifier_failing(const std::string& what);
grpc::Status upload_too_slow(const std::string& what);
grpc::Status invalid_verification(const match::FieldError& error);

}  // namespace sweepd::rpc
