// SPDX-License-Identifier: MIT
#pragma once

#include <thread>

#include "rpc/loop_server.h"

namespace sweepd::rpc {

/// The part of the door that operators come by: a gRPC server apart from those of clients, so that a call's
/// server tells whether an operator calls. A thread waits for its events; its home loop handles them, as it
/// does those of its own part.
class AdminServer final : public session::DoorPart {
 public:
  /// False: gRPC does not start.
  bool start(grpc::ResourceQuota& quota, const LoopServerOptions& options) {
    return server_.start(quota, options);
  }

  void open(session::MatchLoop& home) override;
  void take_connection(int descriptor, bool is_own) override { server_.take_connection(descriptor, is_own); }
  void shut_down(std::chrono::system_clock::time_point deadline) override { server_.shut_down(deadline); }
  void close() override;

 private:
  LoopServer server_;
  std::thread thread_;  ///< From `open` to `close`.
};

}  // namespace sweepd::rpc
