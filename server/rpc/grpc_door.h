// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/resource_quota.h>

#include "runtime/tls/certificate_store.h"
#include "session/door.h"

namespace sweepd::rpc {

/// The door of clients that speak gRPC: a gRPC server for each loop.
class GrpcDoor final : public session::Door {
 public:
  /// `certificates`: of TLS, outlive it; null: connections are in plain text.
  explicit GrpcDoor(const runtime::CertificateStore* certificates = nullptr) : certificates_(certificates) {}

  base::Result<std::vector<std::unique_ptr<session::LoopDoor>>, std::string> make_parts(
      std::size_t loops, const runtime::ClientLimits& limits) override;

  base::Result<std::unique_ptr<session::DoorPart>, std::string> make_admin_part(
      session::Entrance entrance, const runtime::ClientLimits& limits) override;

 private:
  const runtime::CertificateStore* const certificates_;
  grpc::ResourceQuota quota_{"clients"};  ///< Of gRPC's own buffers, of all loops.
};

}  // namespace sweepd::rpc
