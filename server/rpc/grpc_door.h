// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/resource_quota.h>

#include "session/door.h"

namespace sweepd::rpc {

/// The door of clients that speak gRPC: a gRPC server for each loop.
class GrpcDoor final : public session::Door {
 public:
  base::Result<std::vector<std::unique_ptr<session::LoopDoor>>, std::string> make_parts(
      std::size_t loops, const runtime::ClientLimits& limits) override;

 private:
  grpc::ResourceQuota quota_{"clients"};  ///< Of gRPC's own buffers, of all loops.
};

}  // namespace sweepd::rpc
