// SPDX-License-Identifier: MIT
#include "rpc/play_call.h"

#include "rpc/clock_codec.h"
#include "rpc/config_codec.h"
#include "rpc/subscription_codec.h"

namespace sweepd::rpc {
namespace {

google::protobuf::ArenaOptions arena_options(std::array<char, 4096>& block) {
  google::protobuf::ArenaOptions options;
  options.initial_block = block.data();
  options.initial_block_size = block.size();
  return options;
}

grpc::Status join_expected() {
  return make_status(
      grpc::StatusCode::FAILED_PRECONDITION,
      {.reason = "JOIN_EXPECTED", .message = "the first message of a Play stream has to be a join"});
}

grpc::Status already_joined() {
  return make_status(grpc::StatusCode::FAILED_PRECONDITION,
                     {.reason = "ALREADY_JOINED", .message = "a Play stream joins once"});
}

}  // namespace

void PlayCall::accept(LoopServer& server) {
  auto* call = new PlayCall(server);
  server.match_service().RequestPlay(&call->context_, &call->stream_, &server.queue(), &server.queue(),
                                     to_void(call->arrived_));
}

PlayCall::PlayCall(LoopServer& server) : StreamCall(server), arena_(arena_options(block_)) {}

void PlayCall::read() {
  arena_.Reset();
  request_ = google::protobuf::Arena::CreateMessage<v1::PlayRequest>(&arena_);
  begin_event();
  stream_.Read(request_, to_void(read_));
}

void PlayCall::on_read(bool ok) {
  if (is_over()) return;
  if (!ok) {
    // Half-closed, broken or too large: only the end of the call tells which. The first needs a status, and
    // the others have theirs already.
    is_half_closed_ = true;
    return finish_after_updates(Seat::kKept);
  }
  if (!has_joined_) {
    on_first_message();
  } else if (host_ != nullptr) {
    on_message();
    if (!is_over()) read();
  }
}

void PlayCall::on_first_message() {
  if (!request_->has_join()) return finish(join_expected());
  join_ = request_->join();
  if (join_.reconnect_token().empty() && !decode_role(join_.role())) {
    return finish(invalid_field("INVALID_JOIN", {"join.role", "PLAYER, STAGE or OBSERVER is required, not " +
                                                                  std::to_string(join_.role())}));
  }
  has_joined_ = true;
  move_to_match(join_.match_id());
}

void PlayCall::attach() {
  runtime::MatchHost* host = home().matches().find(join_.match_id());
  if (host == nullptr) return finish(match_not_found(join_.match_id()));
  auto options = decode_subscription(join_, *host);
  if (!options.ok()) {
    return finish(
        invalid_field("INVALID_JOIN", {"join." + options.error().field, options.error().description}));
  }
  if (join_.reconnect_token().empty()) {
    join(*host, std::move(*options));
  } else {
    rejoin(*host, std::move(*options));
  }
}

void PlayCall::join(runtime::MatchHost& host, runtime::SubscriptionOptions options) {
  const match::JoinRequest request{join_.name(), *decode_role(join_.role())};
  const auto seen = options.resume;
  const auto seating = host.join(*this, request, std::move(options));
  if (!seating.ok()) return finish(join_refused(seating.error(), request, join_.match_id()));
  sit_down(host, *seating, seen);
}

void PlayCall::rejoin(runtime::MatchHost& host, runtime::SubscriptionOptions options) {
  const auto seen = options.resume;
  const auto seating = host.rejoin(*this, join_.name(), join_.reconnect_token(), std::move(options));
  if (!seating && seen && host.is_former_life(seen->epoch)) return finish(join_undone(join_.name()));
  if (!seating) return finish(invalid_token(join_.name()));
  sit_down(host, *seating, seen);
}

void PlayCall::sit_down(runtime::MatchHost& host, const runtime::Seating& seating,
                        const std::optional<runtime::ResumePoint>& seen) {
  number_ = seating.participant.number;
  token_ = seating.token;
  v1::PlayResponse response;
  v1::Joined& joined = *response.mutable_joined();
  encode_participant(seating.participant, *joined.mutable_participant());
  encode_match(host, home().endpoint(), *joined.mutable_match());
  encode_start(host, seating.subscription, seen, joined);
  joined.set_reconnect_token(token_);
  write_first(response, host, seating.subscription);
  read();
}

void PlayCall::on_over(bool cancelled) {
  // Half-closed and read to its end: that is how a client leaves which has no word for it.
  if (!is_half_closed_ || cancelled) return;
  runtime::MatchHost* host = home().matches().find(join_.match_id());
  if (host != nullptr) host->give_up_seat(join_.name(), token_);
}

void PlayCall::on_message() {
  switch (request_->message_case()) {
    case v1::PlayRequest::kFrame:
      return on_frame(request_->frame());
    case v1::PlayRequest::kLeave:
      return finish_after_updates(Seat::kGivenUp);
    case v1::PlayRequest::kJoin:
      return finish(already_joined());
    case v1::PlayRequest::kClockControl:
      return on_clock_control(request_->clock_control());
    case v1::PlayRequest::MESSAGE_NOT_SET:
      break;
  }
  refuse_malformed(0, "message", "a message of none of the kinds that this server knows");
}

void PlayCall::refuse_malformed(match::Tick frame_tick, std::string field, std::string message) {
  host_->refuse(number_, match::RejectionReason::kMalformed, frame_tick, std::move(field),
                std::move(message));
}

void PlayCall::on_frame(const v1::Frame& message) {
  // Even if it is too large: what positions it has are the base of those in the next frames.
  auto frame = decoder_.decode(message);
  if (!frame.ok()) {
    refuse_malformed(message.tick(), frame.error().field, frame.error().description);
  } else if (is_within_byte_limits(message)) {
    host_->submit(number_, std::move(*frame));
  }
}

bool PlayCall::is_within_byte_limits(const v1::Frame& message) {
  const match::Rights& rights = host_->match().rights_of(number_);
  if (rights.frame_bytes_max == match::Rights::kNoLimit &&
      rights.bytes_per_second_max == match::Rights::kNoLimit) {
    return true;
  }
  const std::uint64_t bytes = message.ByteSizeLong();
  const auto refuse = [&](const std::string& limit) {
    host_->refuse(number_, match::RejectionReason::kTooManyBytes, message.tick(), "",
                  "the frame has " + std::to_string(bytes) + " bytes; " + limit);
    return false;
  };
  if (bytes > rights.frame_bytes_max) {
    return refuse("at most " + std::to_string(rights.frame_bytes_max) +
                  " are allowed (limits.frame_bytes_max)");
  }
  if (host_->take_bytes(number_, bytes)) return true;
  return refuse("fewer are left of " + std::to_string(rights.bytes_per_second_max) +
                " a second (limits.bytes_per_second_max)");
}

void PlayCall::on_clock_control(const v1::ClockControl& message) {
  const auto control = decode_clock_control(message);
  if (control.ok()) return host_->control_clock(number_, *control);
  const std::string& field = control.error().field;
  refuse_malformed(0, field.empty() ? "clock_control" : "clock_control." + field,
                   control.error().description);
}

void PlayCall::fill_ended(const runtime::MatchHost& host, v1::PlayResponse& response) {
  encode_match(host, home().endpoint(), *response.mutable_ended()->mutable_match());
  encode_former_scores(host, *response.mutable_ended()->mutable_match());
}

}  // namespace sweepd::rpc
