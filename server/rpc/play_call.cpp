// SPDX-License-Identifier: MIT
#include "rpc/play_call.h"

#include "base/assert.h"
#include "rpc/config_codec.h"
#include "rpc/frame_codec.h"
#include "rpc/match_codec.h"
#include "rpc/status.h"

namespace sweepd::rpc {

PlayCall::PlayCall(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue, runtime::Loop& loop,
                   const ServiceContext& context)
    : StreamCall(loop, context), service_(service), queue_(queue), loop_(loop), stream_(&server_context()) {}

void PlayCall::await(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue, runtime::Loop& loop,
                     const ServiceContext& context) {
  const std::shared_ptr<PlayCall> call(new PlayCall(service, queue, loop, context));
  call->hold();
  call->server_context().AsyncNotifyWhenDone(&call->done_operation_);
  service.RequestPlay(&call->server_context(), &call->stream_, &queue, &queue, &call->accepted_operation_);
}

void PlayCall::await_next() { await(service_, queue_, loop_, context()); }

void PlayCall::read() {
  note_started();
  stream_.Read(&request_, &read_operation_);
}

void PlayCall::read_done(bool ok) {
  if (!ok) return end(grpc::Status::OK);  // The client has nothing more to say, or is gone.
  if (is_ending()) return;
  if (host() == nullptr) return find_match();
  take_message();
  read();
}

void PlayCall::find_match() {
  if (!request_.has_join()) {
    return end(to_status({grpc::StatusCode::FAILED_PRECONDITION, "JOIN_EXPECTED",
                          "the first message of a Play stream has to be a join", {}, "join"}));
  }
  auto found = context().registry.find(request_.join().match_id());
  if (!found) return end(match_not_found(request_.join().match_id()));
  go_home(std::move(found), [this] { join(); });
}

void PlayCall::join() {
  if (is_ending()) return;
  const v1::Join& join = request_.join();
  const auto role = decode_role(join.role());
  if (!role) {
    return end(to_status({grpc::StatusCode::INVALID_ARGUMENT, "INVALID_JOIN",
                          "join.role: has to be PLAYER, STAGE or OBSERVER", {}, "join.role"}));
  }
  if (host()->match().ended()) return end(match_not_found(join.match_id()));
  const auto participant = host()->join({join.name(), *role});
  if (!participant) return end(join_refused(participant.error()));
  participant_ = participant->number;
  v1::Joined* joined = response_.mutable_joined();
  encode_participant(*participant, joined->mutable_participant());
  encode_match(*host(), context().endpoints, joined->mutable_match());
  for (const auto& encounter : host()->match().open_encounters()) {
    encode_encounter(encounter, joined->add_open_encounters());
  }
  host()->subscribe(*this, participant_);
  note_write_started();
  stream_.Write(response_, &write_operation_);
  read();
}

void PlayCall::take_message() {
  if (host()->match().ended()) return;
  if (request_.has_frame()) return take_frame(request_.frame());
  const bool joins_again = request_.has_join();
  host()->refuse(*participant_, 0, joins_again ? "join" : "message",
                 joins_again ? "this stream has joined already" : "has to be a frame");
}

void PlayCall::take_frame(const v1::Frame& frame) {
  auto decoded = decode_frame(frame, bases_);
  if (decoded) {
    host()->submit(*participant_, std::move(*decoded));
  } else {
    host()->refuse(*participant_, frame.tick(), decoded.error().field, decoded.error().description);
  }
}

void PlayCall::depart() {
  if (!participant_) return;
  host()->unsubscribe(*this);
  if (!host()->match().ended()) host()->leave(*participant_);
}

void PlayCall::write_update(v1::TickUpdate& update) {
  // The written message's memory becomes the next pending update's.
  v1::TickUpdate* written = response_.mutable_update();
  written->Swap(&update);
  update.Clear();
  note_write_started();
  stream_.Write(response_, &write_operation_);
}

void PlayCall::write_ended(const runtime::MatchHost& host) {
  encode_match(host, context().endpoints, response_.mutable_ended()->mutable_match());
  note_write_started();
  stream_.Write(response_, &write_operation_);
}

void PlayCall::write_finish(const grpc::Status& status) { stream_.Finish(status, &finish_operation_); }

}  // namespace sweepd::rpc
