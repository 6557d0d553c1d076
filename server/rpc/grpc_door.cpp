// SPDX-License-Identifier: MIT
#include "rpc/grpc_door.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>

#include <utility>

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
                                    .certificates = certificates_,
                                    .has_reflection = has_reflection_};
    if (!server->start(quota_, options)) return std::string("gRPC does not start");
    parts.push_back(std::move(server));
  }
  return parts;
}

}  // namespace sweepd::rpc
