// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>

#include "match_stream.h"
#include "stream_codec.h"
#include "sweepd/client.h"

namespace sweepd::internal {

/// A watcher's stream: updates in, nothing out.
class WatchStream final : public MatchStream {
 public:
  WatchStream(Network* network, Route route, const WatchOptions& options)
      : MatchStream(network, std::move(route), options.reconnect,
                    {options.events_queued_max, holds_back(options.filter),
                     options.world ? std::max<Tick>(options.world->every_ticks, 1) : 0}),
        options_(options) {}

 private:
  void begin_call(Service::Stub* stub, grpc::ClientContext* context, void* started) override;
  void call_started() override {}
  void read_next(void* read) override { call_->Read(&response_, read); }
  bool receive() override;
  bool receive(const v1::WatchStarted& started);
  void forget_call() override { call_.reset(); }
  bool may_come_back() override { return subscription().epoch() != 0; }
  void finish_call(grpc::Status* status, void* finished) override { call_->Finish(status, finished); }

  const WatchOptions options_;
  std::unique_ptr<grpc::ClientAsyncReader<v1::WatchResponse>> call_;
  v1::WatchResponse response_;
};

}  // namespace sweepd::internal
