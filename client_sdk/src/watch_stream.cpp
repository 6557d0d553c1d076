// SPDX-License-Identifier: MIT
#include "watch_stream.h"

namespace sweepd::internal {

WatchStream::WatchStream(Route route, std::size_t events_queued_max)
    : MatchStream(std::move(route), events_queued_max) {}

void WatchStream::begin_call(Service::Stub* stub, grpc::ClientContext* context) {
  request_.set_match_id(route().match_id);
  stub->async()->Watch(context, &request_, this);
  StartRead(&response_);
  StartCall();
}

void WatchStream::OnReadDone(bool ok) {
  if (!ok) return;
  if (receive()) {
    StartRead(&response_);
  } else {
    cancel();
  }
}

bool WatchStream::receive() {
  switch (response_.message_case()) {
    case v1::WatchResponse::kStarted: return receive(response_.started());
    case v1::WatchResponse::kUpdate: return subscription().update(response_.update()).ok();
    case v1::WatchResponse::kEnded: subscription().end(); return true;
    // A kind of message that a newer server knows.
    case v1::WatchResponse::MESSAGE_NOT_SET: return true;
  }
  return true;
}

bool WatchStream::receive(const v1::WatchStarted& started) {
  joined();
  return subscription().join(started.match(), started.open_encounters(), nullptr);
}

void WatchStream::OnDone(const grpc::Status& status) { closed(status); }

}  // namespace sweepd::internal
