// SPDX-License-Identifier: MIT
#include "watch_stream.h"

namespace sweepd::internal {

void WatchStream::begin_call(Service::Stub* stub, grpc::ClientContext* context, void* started) {
  v1::WatchRequest request;
  request.set_match_id(route().match_id);
  encode(options_.filter, request.mutable_filter());
  encode(options_.queue_policy, request.mutable_queue_policy());
  if (options_.world) encode(*options_.world, request.mutable_world());  // Checked by the client.
  if (subscription().epoch() != 0) subscription().write_resume_point(request.mutable_resume());
  call_ = stub->AsyncWatch(context, request, network().queue(), started);
}

bool WatchStream::receive() {
  switch (response_.message_case()) {
    case v1::WatchResponse::kStarted:
      return receive(response_.started());
    case v1::WatchResponse::kUpdate:
      return subscription().update(response_.update()).ok();
    case v1::WatchResponse::kEnded:
      subscription().end(response_.ended().match());
      return true;
    case v1::WatchResponse::kHeartbeat:
    // A kind of message that a newer server knows.
    case v1::WatchResponse::MESSAGE_NOT_SET:
      return true;
  }
  return true;
}

bool WatchStream::receive(const v1::WatchStarted& started) {
  return joined({started.match(), started.open_encounters(), nullptr, started.epoch(), started.resumed(),
                 started.has_undone() ? std::optional(decode(started.undone())) : std::nullopt,
                 std::chrono::milliseconds(started.heartbeat_ms())});
}

}  // namespace sweepd::internal
