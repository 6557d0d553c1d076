// SPDX-License-Identifier: MIT
#include "rpc/watch_call.h"

#include "rpc/parse_request.h"
#include "rpc/subscription_codec.h"

namespace sweepd::rpc {

void WatchCall::accept(LoopServer& server) {
  auto* call = new WatchCall(server);
  static const int method = method_index<v1::WatchRequest>(true);
  server.match_service().request_server_streaming(method, call->context_, call->bytes_, call->stream_,
                                                  server.queue(), to_void(call->arrived_));
}

void WatchCall::begin() {
  if (is_too_large(bytes_)) return finish(request_too_large(bytes_.Length()));
  if (const auto fault = parse_request(bytes_, request_)) return finish(invalid_request(*fault));
  move_to_match(request_.match_id());
}

void WatchCall::attach(runtime::MatchHost& host) {
  auto options = decode_subscription(request_, host);
  if (!options.ok()) return finish(invalid_field("INVALID_WATCH", options.error()));
  const auto seen = options->resume;
  runtime::Subscription& subscription = host.watch(*this, std::move(*options));
  v1::WatchResponse response;
  v1::WatchStarted& started = *response.mutable_started();
  encode_match(host, home().endpoint(), *started.mutable_match());
  encode_start(host, subscription, seen, started);
  write_first(response, host, subscription);
}

void WatchCall::fill_ended(const runtime::MatchHost& host, v1::WatchResponse& response) {
  encode_match(host, home().endpoint(), *response.mutable_ended()->mutable_match());
  encode_former_scores(host, *response.mutable_ended()->mutable_match());
}

}  // namespace sweepd::rpc
