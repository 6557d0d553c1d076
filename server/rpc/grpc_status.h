// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/status.h>

#include "session/status.h"

namespace sweepd::rpc {

/// The codes have the same numbers.
inline grpc::Status to_grpc(const session::Status& status) {
  return {static_cast<grpc::StatusCode>(status.code()), status.message(), status.details()};
}

}  // namespace sweepd::rpc
