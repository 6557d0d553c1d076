// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/client_callback.h>

#include "match_stream.h"

namespace sweepd::internal {

/// A watcher's stream: updates in, nothing out.
class WatchStream final : public MatchStream, private grpc::ClientReadReactor<v1::WatchResponse> {
 public:
  WatchStream(Route route, std::size_t events_queued_max);

 private:
  void begin_call(Service::Stub* stub, grpc::ClientContext* context) override;
  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  bool receive();
  bool receive(const v1::WatchStarted& started);

  v1::WatchRequest request_;
  v1::WatchResponse response_;
};

}  // namespace sweepd::internal
