// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/status.h>

#include "sweepd/status.h"

namespace sweepd::internal {

/// The server's error in the SDK's words, with the reason and the field from its details where it has them.
Status from_server(const grpc::Status& status);

}  // namespace sweepd::internal
