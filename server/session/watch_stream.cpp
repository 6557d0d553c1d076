// SPDX-License-Identifier: MIT
#include "session/watch_stream.h"

#include "session/subscription_codec.h"
#include "session/viewer.h"
#include "session/world_codec.h"

namespace sweepd::session {

void WatchStream::begin() {
  parse(request_, [this] {
    if (!is_over()) move_to_match(request_.match_id());
  });
}

Status WatchStream::find_refusal_of(const runtime::MatchHost& host) const {
  return find_refusal(principal(), rpc(), host);
}

void WatchStream::attach(runtime::MatchHost& host) {
  auto options = decode_subscription(request_, host);
  if (!options.ok()) return finish(invalid_field("INVALID_WATCH", options.error()));
  const auto seen = options->resume;
  const match::Viewer viewer = watcher_of(principal(), host);
  options->viewer = viewer;
  const std::uint64_t own_id = seen ? seen->world.feed_id : 0;
  if (options->world && !has_room_for_world(host, options->world->interest, viewer, own_id))
    return finish(too_many_interests(runtime::WorldFeed::kChannelsMax));
  runtime::Subscription& subscription = host.watch(*this, std::move(*options));
  const First response(first_bytes(host));
  v1::WatchStarted& started = *response->mutable_started();
  encode_match(host, home().endpoint(), *started.mutable_match());
  leave_out_secrets(principal(), host, *started.mutable_match());
  leave_out_hidden(viewer, host, *started.mutable_match());
  encode_start(host, subscription, seen, started);
  write_first(response, host, subscription);
}

void WatchStream::fill_ended(const runtime::MatchHost& host, v1::WatchResponse& response) {
  encode_match(host, home().endpoint(), *response.mutable_ended()->mutable_match());
  encode_former(host, *response.mutable_ended()->mutable_match());
  leave_out_secrets(principal(), host, *response.mutable_ended()->mutable_match());
}

}  // namespace sweepd::session
