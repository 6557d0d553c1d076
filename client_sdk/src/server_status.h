// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/status.h>

#include "sweepd/status.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::internal {

/// The server's error in the SDK's words, with the reason and the field from its details where it has them.
Status from_server(const grpc::Status& status);
Status from_server(const v1::JoinRefused& refusal);

}  // namespace sweepd::internal
