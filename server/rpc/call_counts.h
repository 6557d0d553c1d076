// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/status.h>

#include <string_view>
#include <vector>

#include "runtime/metrics.h"

namespace sweepd::rpc {

/// "NOT_FOUND".
std::string_view name_of(grpc::StatusCode code);

/// A call, or a participant's part in a shared stream, has ended with that, which is not OK. Thread-safe.
void count_refusal(grpc::StatusCode code);
/// How many of the process have, by status.
std::vector<runtime::Sample> refusal_samples();

}  // namespace sweepd::rpc
