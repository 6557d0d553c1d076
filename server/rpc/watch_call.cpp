// SPDX-License-Identifier: MIT
#include "rpc/watch_call.h"

#include "rpc/match_codec.h"
#include "rpc/status.h"

namespace sweepd::rpc {

WatchCall::WatchCall(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue,
                     runtime::Loop& loop, const ServiceContext& context)
    : StreamCall(loop, context), service_(service), queue_(queue), loop_(loop), stream_(&server_context()) {}

void WatchCall::await(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue,
                      runtime::Loop& loop, const ServiceContext& context) {
  const std::shared_ptr<WatchCall> call(new WatchCall(service, queue, loop, context));
  call->hold();
  call->server_context().AsyncNotifyWhenDone(&call->done_operation_);
  service.RequestWatch(&call->server_context(), &call->request_, &call->stream_, &queue, &queue,
                       &call->accepted_operation_);
}

void WatchCall::await_next() { await(service_, queue_, loop_, context()); }

void WatchCall::begin() {
  auto found = context().registry.find(request_.match_id());
  if (!found) return end(match_not_found(request_.match_id()));
  go_home(std::move(found), [this] { start(); });
}

void WatchCall::start() {
  if (is_ending()) return;
  if (host()->match().ended()) return end(match_not_found(request_.match_id()));
  v1::WatchStarted* started = response_.mutable_started();
  encode_match(*host(), context().endpoints, started->mutable_match());
  for (const auto& encounter : host()->match().open_encounters()) {
    encode_encounter(encounter, started->add_open_encounters());
  }
  host()->subscribe(*this, std::nullopt);
  is_subscribed_ = true;
  note_write_started();
  stream_.Write(response_, &write_operation_);
}

void WatchCall::depart() {
  if (is_subscribed_) host()->unsubscribe(*this);
}

void WatchCall::write_update(v1::TickUpdate& update) {
  v1::TickUpdate* written = response_.mutable_update();
  written->Swap(&update);
  update.Clear();
  note_write_started();
  stream_.Write(response_, &write_operation_);
}

void WatchCall::write_ended(const runtime::MatchHost& host) {
  encode_match(host, context().endpoints, response_.mutable_ended()->mutable_match());
  note_write_started();
  stream_.Write(response_, &write_operation_);
}

void WatchCall::write_finish(const grpc::Status& status) { stream_.Finish(status, &finish_operation_); }

}  // namespace sweepd::rpc
