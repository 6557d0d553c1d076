// SPDX-License-Identifier: MIT
#include "rpc/watch_call.h"

namespace sweepd::rpc {

void WatchCall::accept(LoopServer& server) {
  auto* call = new WatchCall(server);
  server.match_service().RequestWatch(&call->context_, &call->request_, &call->stream_, &server.queue(),
                                      &server.queue(), to_void(call->arrived_));
}

void WatchCall::attach() {
  runtime::MatchHost* host = home().matches().find(request_.match_id());
  if (host == nullptr) return finish(match_not_found(request_.match_id()));
  host->watch(*this);
  v1::WatchResponse response;
  v1::WatchStarted& started = *response.mutable_started();
  encode_match(*host, home().endpoint(), *started.mutable_match());
  for (const auto& encounter : host->match().open_encounters()) {
    encode_encounter(encounter, *started.add_open_encounters());
  }
  write_first(response, *host);
}

void WatchCall::fill_ended(const runtime::MatchHost& host, v1::WatchResponse& response) {
  encode_match(host, home().endpoint(), *response.mutable_ended()->mutable_match());
}

}  // namespace sweepd::rpc
