// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/resource_quota.h>

#include "runtime/tls/certificate_store.h"
#include "session/door.h"

namespace sweepd::rpc {

/// The door of clients that speak gRPC: a gRPC server for each loop.
class GrpcDoor final : public session::Door {
 public:
  /// `has_reflection`: tells the services' schema to all who ask. `certificates`: of TLS, outlive it; null:
  /// connections are in plain text.
  explicit GrpcDoor(bool has_reflection = true, const runtime::CertificateStore* certificates = nullptr)
      : has_reflection_(has_reflection), certificates_(certificates) {}

  base::Result<std::vector<std::unique_ptr<session::LoopDoor>>, std::string> make_parts(
      std::size_t loops, const runtime::ClientLimits& limits) override;

 private:
  const bool has_reflection_;
  const runtime::CertificateStore* const certificates_;
  grpc::ResourceQuota quota_{"clients"};  ///< Of gRPC's own buffers, of all loops.
};

}  // namespace sweepd::rpc
