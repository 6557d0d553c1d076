// SPDX-License-Identifier: MIT
#pragma once

#include "session/match_stream.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::session {

/// Follows a match without taking part.
class WatchStream final : public MatchStream<v1::WatchResponse> {
 public:
  /// The pipe has the request already.
  WatchStream(MatchLoop& accepting, StreamPipe<v1::WatchResponse>& pipe)
      : MatchStream(accepting, pipe, "Watch", accepting.backend().watch_streams) {}

 private:
  void begin() override;
  Status find_refusal_of(const runtime::MatchHost& host) const override;
  void attach(runtime::MatchHost& host) override;
  /// The encounters that are open are told, however many.
  bool is_long_to_attach() const override { return true; }
  void fill_ended(const runtime::MatchHost& host, v1::WatchResponse& response) override;

  v1::WatchRequest request_;
};

}  // namespace sweepd::session
