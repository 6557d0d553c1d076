// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "match_stream.h"

namespace sweepd::internal {

/// A watcher's stream: updates in, nothing out.
class WatchStream final : public MatchStream {
 public:
  WatchStream(Network* network, Route route, std::size_t events_queued_max)
      : MatchStream(network, std::move(route), events_queued_max) {}

 private:
  void begin_call(Service::Stub* stub, grpc::ClientContext* context, void* started) override;
  void call_started() override {}
  void read_next(void* read) override { call_->Read(&response_, read); }
  bool receive() override;
  bool receive(const v1::WatchStarted& started);
  void finish_call(grpc::Status* status, void* finished) override { call_->Finish(status, finished); }

  std::unique_ptr<grpc::ClientAsyncReader<v1::WatchResponse>> call_;
  v1::WatchResponse response_;
};

}  // namespace sweepd::internal
