// SPDX-License-Identifier: MIT
#include "rpc/grpc_door.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>

#include <utility>

#include "rpc/admin_server.h"
#include "rpc/loop_server.h"

namespace sweepd::rpc {
namespace {

/// Of calls of reflection at once; the loops need none for theirs.
constexpr int kReflectionThreadsMax = 16;

}  // namespace

base::Result<std::vector<std::unique_ptr<session::LoopDoor>>, std::string> GrpcDoor::make_parts(
    std::size_t loops, const runtime::ClientLimits& limits) {
  // Distributions ship Abseil with its search for lock cycles on: with every lock, gRPC's loops would meet at
  // one more, that of the whole process.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  quota_.Resize(limits.memory_max / 2);
  quota_.SetMaxThreads(static_cast<int>(loops) + kReflectionThreadsMax);
  std::vector<std::unique_ptr<session::LoopDoor>> parts;
  for (std::size_t i = 0; i < loops; ++i) {
    auto server = std::make_unique<LoopServer>();
    const LoopServerOptions options{.streams_per_connection_max = limits.streams_per_connection_max,
                                    .certificates = certificates_};
    if (!server->start(quota_, options)) return std::string("gRPC does not start");
    parts.push_back(std::move(server));
  }
  return parts;
}

// Reflection is gRPC's own, which asks for no tickets: it is where connections alone tell who may come in.
base::Result<std::unique_ptr<session::DoorPart>, std::string> GrpcDoor::make_admin_part(
    session::Entrance entrance, const runtime::ClientLimits& limits) {
  auto server = std::make_unique<AdminServer>();
  const bool has_certificates = certificates_ != nullptr && certificates_->client_certificates() ==
                                                                runtime::ClientCertificates::kRequired;
  const LoopServerOptions options{
      .streams_per_connection_max = limits.streams_per_connection_max,
      .certificates = certificates_,
      .entrance = entrance,
      .has_reflection = entrance == session::Entrance::kAdminSocket || has_certificates};
  if (!server->start(quota_, options)) return std::string("gRPC does not start");
  return std::unique_ptr<session::DoorPart>(std::move(server));
}

}  // namespace sweepd::rpc
