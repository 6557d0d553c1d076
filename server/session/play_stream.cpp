// SPDX-License-Identifier: MIT
#include "session/play_stream.h"

#include "identity/rights_table.h"
#include "session/aside.h"
#include "session/client_budget.h"
#include "session/clock_codec.h"
#include "session/methods.h"
#include "session/subject_key.h"
#include "session/subscription_codec.h"
#include "session/viewer.h"
#include "session/with_match.h"
#include "session/world_codec.h"
#include "wire/config_codec.h"

namespace sweepd::session {
namespace {

constexpr std::uint32_t kWorldAsksPerSecondMax = 2;  ///< Each costs a snapshot.

Status join_expected() {
  return make_status(
      Code::kFailedPrecondition,
      {.reason = "JOIN_EXPECTED", .message = "the first message of a Play stream has to be a join"});
}

Status already_joined() {
  return make_status(Code::kFailedPrecondition,
                     {.reason = "ALREADY_JOINED",
                      .message = "a Play stream joins once, unless its first join says is_shared"});
}

Status already_here(const std::string& name) {
  return make_status(
      Code::kFailedPrecondition,
      {.reason = "ALREADY_JOINED", .message = "\"" + clipped(name) + "\" has joined on this very stream"});
}

Status stream_full() {
  return make_status(
      Code::kResourceExhausted,
      {.reason = "STREAM_FULL",
       .message = std::to_string(StreamParticipants::kParticipantsMax) +
                  " participants are on this stream, the limit: use another stream for this one"});
}

Status role_required(v1::Role role) {
  return invalid_field("INVALID_JOIN",
                       {"join.role", "PLAYER, STAGE or OBSERVER is required, not " + std::to_string(role)});
}

bool has_role(const v1::Join& join) {
  return !join.reconnect_token().empty() || wire::decode_role(join.role()).has_value();
}

/// What a further join may not have, or null.
const char* field_of_first_join_only(const v1::Join& join) {
  if (join.has_resume()) return "join.resume";
  if (join.has_filter()) return "join.filter";
  if (join.has_queue_policy()) return "join.queue_policy";
  if (join.has_world()) return "join.world";
  return nullptr;
}

}  // namespace

void PlayStream::on_read(bool ok) {
  if (is_over()) return;
  if (!ok) {
    // Half-closed, broken or too large: only the end of the call tells which. The first needs a status, and
    // the others have theirs already.
    is_half_closed_ = true;
    return finish_after_updates(Seat::kKept);
  }
  caller().count_message(pipe_.incoming().size());
  waited_ = pipe_.waited();
  if (const auto refusal = refuse_too_large(pipe_.incoming())) return finish(*refusal);
  const std::size_t bytes = pipe_.incoming().size();
  take_write_budget(bytes);
  if (pipe_.incoming().is_large()) return read_aside(bytes);
  take_request(home().request_memory().parse<v1::PlayRequest>(pipe_.incoming()), bytes);
}

// What it sends next is not read before.
void PlayStream::read_aside(std::size_t bytes) {
  const auto held = std::make_shared<std::shared_ptr<LargeMessage>>(
      std::make_shared<LargeMessage>(pipe_.incoming().release(), participants_));
  run_aside([held] { (*held)->read(); },
            [this, held, bytes] {
              Backend& shared = backend();
              const runtime::Payers payers = caller().payers;
              (*held)->give_back_decoders(participants_);
              if (!is_over()) take_request((*held)->request(), bytes, held->get());
              // The stream may have gone to another loop.
              session::free_aside(shared, payers, std::move(*held));
            });
}

void PlayStream::take_request(const LargeMessage::Request& request, std::size_t bytes, LargeMessage* large) {
  quota_.take(backend(), caller(), request ? *request : nullptr, bytes, home().loop().now());
  if (!has_joined_) {
    if (!request) return finish(invalid_field("INVALID_JOIN", request.error()));
    on_first_message(**request);
  } else if (host_ != nullptr) {
    if (!request) {
      refuse_malformed(0, request.error().field, request.error().description);
    } else {
      large_ = large;
      on_message(**request);
      large_ = nullptr;
    }
    if (!is_over() && !is_answering_) read();
  }
}

void PlayStream::on_told() {
  if (std::exchange(is_answering_, false)) read();
}

void PlayStream::on_first_message(const v1::PlayRequest& request) {
  if (!request.has_join()) return finish(join_expected());
  join_ = request.join();
  if (!has_role(join_)) return finish(role_required(join_.role()));
  if (join_.reconnect_token().empty() && !has_memory()) return;
  has_joined_ = true;
  trace_.name_match(join_.match_id());
  move_to_match(join_.match_id());
}

Status PlayStream::find_refusal_of(const runtime::MatchHost& host) const {
  return find_refusal_of_seat(principal(), join_, host);
}

void PlayStream::attach(runtime::MatchHost& host) {
  auto options = decode_subscription(join_, host);
  if (!options.ok()) {
    return finish(
        invalid_field("INVALID_JOIN", {"join." + options.error().field, options.error().description}));
  }
  const std::uint64_t own_id = options->resume ? options->resume->world.feed_id : 0;
  if (join_.role() == v1::ROLE_OBSERVER && options->world &&
      !has_room_for_observer(host, *options->world, own_id))
    return finish(too_many_interests(runtime::WorldFeed::kChannelsMax));
  if (join_.reconnect_token().empty()) {
    join(host, std::move(*options));
  } else {
    rejoin(host, std::move(*options));
  }
}

void PlayStream::join(runtime::MatchHost& host, runtime::SubscriptionOptions options) {
  const match::Join request{join_.name(), *wire::decode_role(join_.role())};
  const auto seen = options.resume;
  auto place = session::take(backend(), payers_of(principal()), runtime::Resource::kSeats);
  if (!place) return finish(place.error());
  const auto seating = host.join(*this, request, std::move(options), key_of(principal().subject));
  if (!seating.ok()) return finish(join_refused(seating.error(), request, join_.match_id()));
  host.keep_with_seat(seating->participant.number, std::move(*place));
  sit_down(host, *seating, seen);
}

void PlayStream::rejoin(runtime::MatchHost& host, runtime::SubscriptionOptions options) {
  const auto seen = options.resume;
  const auto seating = host.rejoin(*this, join_.name(), join_.reconnect_token(), std::move(options),
                                   key_of(principal().subject));
  if (!seating && seen && host.is_former_life(seen->epoch)) return finish(join_undone(join_.name()));
  if (!seating) return finish(invalid_token(join_.name()));
  pay_again(host, seating->participant.number, principal());
  sit_down(host, *seating, seen);
}

void PlayStream::sit_down(runtime::MatchHost& host, const runtime::Seating& seating,
                          const std::optional<runtime::ResumePoint>& seen) {
  participants_.add(
      {seating.participant.number, seating.participant.name, seating.token, key_of(principal().subject)});
  const First response(first_bytes(host));
  v1::Joined& joined = *response->mutable_joined();
  encode_joined(host, home().endpoint(), principal(), seating.participant, joined);
  encode_start(host, seating.subscription, seen, joined);
  joined.set_reconnect_token(seating.token);
  write_first(response, host, seating.subscription);
  if (host.match().config().clock == match::ClockKind::kRealtime) pipe_.read_at_ticks();
  read();
}

void PlayStream::on_further_join(const v1::Join& message) {
  if (!join_.is_shared()) return finish(already_joined());
  is_answering_ = true;
  Status refusal;
  if (auto error = find_error(message)) {
    refusal = *std::move(error);
  } else if (refusal = let_in_further(message); refusal.ok()) {
    refusal = message.reconnect_token().empty() ? join_also(message) : rejoin_also(message);
  }
  if (!refusal.ok()) tell_refusal(message.name(), refusal);
}

std::optional<Status> PlayStream::find_error(const v1::Join& message) const {
  if (!message.match_id().empty() && message.match_id() != join_.match_id()) {
    return invalid_field("INVALID_JOIN", {"join.match_id", "is \"" + clipped(message.match_id()) +
                                                               "\"; this stream is of match \"" +
                                                               clipped(join_.match_id()) + "\""});
  }
  if (const char* field = field_of_first_join_only(message)) {
    return invalid_field("INVALID_JOIN", {field, "is the stream's: only the first join has it"});
  }
  if (!has_role(message)) return role_required(message.role());
  if (participants_.has_name(message.name())) return already_here(message.name());
  if (participants_.is_full()) return stream_full();
  return std::nullopt;
}

Status PlayStream::let_in_further(const v1::Join& message) {
  further_.reset();
  if (!message.ticket().empty()) {
    auto admission = session::admit(backend(), message.ticket(), caller());
    if (!admission.ok()) return admission.error();
    further_ = std::move(*admission);
  }
  return find_refusal_of_seat(further_principal(), message, *host_);
}

void PlayStream::end_expired_participants() {
  for (const match::ParticipantNumber number : participants_.expired(backend().gate)) {
    if (is_over() || participants_.all().size() == 1) return finish(ticket_expired());
    host_->break_off(*this, number);
    end_participant(number, ticket_expired());
  }
}

void PlayStream::on_refresh(const v1::TicketRefresh& message) {
  auto admission = session::admit(backend(), message.ticket(), caller());
  if (!admission.ok()) return refuse_refresh(admission.error());
  const identity::Principal& present = principal();
  const identity::Principal& next = admission->principal;
  if (next.subject != present.subject || next.kind != present.kind || next.match_id != present.match_id)
    return refuse_refresh(foreign_ticket());
  renew(std::move(*admission));
}

void PlayStream::refuse_refresh(const Status& refusal) {
  trace_.note_status(refusal, "ticket not taken");
  refuse_malformed(0, "refresh.ticket", refusal.message());
}

Status PlayStream::join_also(const v1::Join& message) {
  const match::Join request{message.name(), *wire::decode_role(message.role())};
  auto place = session::take(backend(), payers_of(further_principal()), runtime::Resource::kSeats);
  if (!place) return place.error();
  const auto seating = host_->join_also(*this, request, key_of(further_principal().subject));
  if (!seating.ok()) return join_refused(seating.error(), request, join_.match_id());
  host_->keep_with_seat(seating->participant.number, std::move(*place));
  sit_down_also(*seating);
  return Status{};
}

Status PlayStream::rejoin_also(const v1::Join& message) {
  const auto seating = host_->rejoin_also(*this, message.name(), message.reconnect_token(),
                                          key_of(further_principal().subject));
  if (!seating) {
    const bool is_undone = join_.has_resume() && host_->is_former_life(join_.resume().epoch());
    return is_undone ? join_undone(message.name()) : invalid_token(message.name());
  }
  pay_again(*host_, seating->participant.number, further_principal());
  sit_down_also(*seating);
  return Status{};
}

void PlayStream::sit_down_also(const runtime::Seating& seating) {
  participants_.add({seating.participant.number, seating.participant.name, seating.token,
                     key_of(further_principal().subject), further_});
  v1::PlayResponse response;
  v1::Joined& joined = *response.mutable_joined();
  encode_joined(*host_, home().endpoint(), further_principal(), seating.participant, joined);
  joined.set_epoch(host_->log().epoch());
  joined.set_reconnect_token(seating.token);
  tell(std::move(response));
}

void PlayStream::tell_refusal(const std::string& name, const Status& refusal) {
  trace_.note_status(refusal, "not on the shared stream");
  v1::PlayResponse response;
  v1::JoinRefused& refused = *response.mutable_join_refused();
  refused.set_name(clipped(name));
  refused.set_code(static_cast<int>(refusal.code()));
  refused.set_reason(reason_of(refusal));
  refused.set_message(refusal.message());
  tell(std::move(response));
}

void PlayStream::seat_replaced(match::ParticipantNumber number) {
  end_participant(number, session::replaced());
}

void PlayStream::end_participant(match::ParticipantNumber number, const Status& status) {
  const StreamParticipant* const one = participants_.find(number);
  SWEEPD_ASSERT(one != nullptr);
  const std::string name = one->name;
  participants_.remove(number);
  tell_refusal(name, status);
}

std::uint32_t PlayStream::expel_participants(std::uint64_t since_version) {
  std::vector<std::pair<match::ParticipantNumber, Status>> expelled;
  for (const StreamParticipant& one : participants_.all()) {
    const Status expulsion = find_expulsion(subject_of(one.owner), since_version);
    if (!expulsion.ok()) expelled.emplace_back(one.number, expulsion);
  }
  for (const auto& [number, expulsion] : expelled) {
    if (host_ == nullptr) break;  // What one of them left behind has ended the stream.
    if (participants_.all().size() == 1) {
      finish(expulsion, Seat::kGivenUp);
      break;
    }
    const std::string name = participants_.find(number)->name;
    participants_.remove(number);
    host_->leave(*this, number);
    tell_refusal(name, expulsion);
  }
  return static_cast<std::uint32_t>(expelled.size());
}

void PlayStream::on_over(bool cancelled) {
  // Half-closed and read to its end: that is how a client leaves which has no word for it.
  if (!is_half_closed_ || cancelled) return;
  // The match may have moved since this call left it.
  begin_event();
  const auto give_up = [this](runtime::MatchHost& host, MatchLoop& /*home*/) {
    for (const StreamParticipant& one : participants_.all())
      host.give_up_seat(one.name, one.token, one.owner);
    end_event();
  };
  with_match(backend(), join_.match_id(), give_up, [this](const Status&) { end_event(); });
}

void PlayStream::on_message(const v1::PlayRequest& request) {
  switch (request.message_case()) {
    case v1::PlayRequest::kFrame:
      return on_frame(request.frame());
    case v1::PlayRequest::kFrames:
      return on_frames(request.frames());
    case v1::PlayRequest::kLeave:
      return on_leave(request.leave());
    case v1::PlayRequest::kJoin:
      return on_further_join(request.join());
    case v1::PlayRequest::kClockControl:
      return on_clock_control(request.clock_control());
    case v1::PlayRequest::kRefresh:
      return on_refresh(request.refresh());
    case v1::PlayRequest::kWorld:
      return on_world(request.world());
    case v1::PlayRequest::MESSAGE_NOT_SET:
      break;
  }
  refuse_malformed(0, "message", "a message of none of the kinds that this server knows");
}

void PlayStream::on_world(const v1::WorldInterest& message) {
  if (!world_asks_.take(1, kWorldAsksPerSecondMax, home().loop().now()))
    return host_->refuse(participants_.first().number, match::RejectionReason::kTooSoon, 0, "world",
                         "there have been " + std::to_string(kWorldAsksPerSecondMax) + " in this second");
  auto world = decode_further_world(message, *host_);
  if (!world.ok()) return refuse_malformed(0, world.error().field, world.error().description);
  const match::ParticipantNumber asker = participants_.first().number;
  if (asker >= match::kParticipantsMax && !has_room_for_observer(*host_, *world, world_id()))
    return host_->refuse(asker, match::RejectionReason::kTooSoon, 0, "world",
                         too_many_interests(runtime::WorldFeed::kChannelsMax).message());
  *join_.mutable_world() = message;
  ask_for_world(*std::move(world));
}

void PlayStream::refuse_malformed(match::ParticipantNumber number, match::Tick frame_tick, std::string field,
                                  std::string message) {
  host_->refuse(number, match::RejectionReason::kMalformed, frame_tick, std::move(field), std::move(message));
}

void PlayStream::refuse_malformed(match::Tick frame_tick, std::string field, std::string message) {
  refuse_malformed(participants_.first().number, frame_tick, std::move(field), std::move(message));
}

void PlayStream::on_frames(const v1::Frames& message) {
  if (message.frames_size() > kListedFramesMax) {
    return refuse_malformed(0, "frames",
                            std::to_string(message.frames_size()) + " frames in one message; at most " +
                                std::to_string(kListedFramesMax) + " are allowed");
  }
  for (const v1::Frame& frame : message.frames()) {
    if (host_ == nullptr) return;  // What a frame brought has ended the stream.
    on_frame(frame);
  }
}

void PlayStream::on_frame(const v1::Frame& message) {
  std::optional<LargeMessage::OfOne> decoded;
  if (large_ != nullptr) decoded = large_->take_frame();
  // A number may be 0: only its absence says that it is not told.
  StreamParticipant* const sender =
      message.has_participant() ? participants_.find(message.participant()) : &participants_.first();
  if (sender == nullptr) {
    return refuse_malformed(
        message.tick(), "participant",
        "no participant of number " + std::to_string(message.participant()) + " is on this stream");
  }
  if (decoded && decoded->number != sender->number)
    return refuse_malformed(sender->number, message.tick(), "participant", "its sender has left the stream");
  // Even if it is too large: what positions it has are the base of those in the next frames.
  auto frame = decoded ? std::move(decoded->frame) : sender->decoder.decode(message, home().frame_undo());
  if (!frame.ok()) {
    refuse_malformed(sender->number, message.tick(), frame.error().field, frame.error().description);
  } else if (may_have_tags(sender->number, *frame) && is_within_quota(sender->number, message.tick()) &&
             is_within_byte_limits(sender->number, message) &&
             is_within_write_budgets(sender->number, message)) {
    if (join_.has_world()) arrivals_.note(sender->number, *frame, host_->match().tick() + 1);
    host_->submit(sender->number, std::move(*frame), waited_);
  }
}

void PlayStream::on_leave(const v1::Leave& message) {
  if (!message.has_participant()) return finish_after_updates(Seat::kGivenUp);
  const match::ParticipantNumber number = message.participant();
  if (participants_.find(number) == nullptr) {
    return refuse_malformed(0, "leave.participant",
                            "no participant of number " + std::to_string(number) + " is on this stream");
  }
  if (participants_.all().size() == 1) return finish_after_updates(Seat::kGivenUp);
  participants_.remove(number);
  host_->leave(*this, number);
}

runtime::Payers PlayStream::payers_of(const identity::Principal& holder) const {
  runtime::Payers payers(caller().payers.of(runtime::KeyKind::kAddress));
  add_payers(backend().budgets, holder, payers);
  return payers;
}

/// A seat that has come back from the journal counts, be there room for it or not.
void PlayStream::pay_again(runtime::MatchHost& host, match::ParticipantNumber number,
                           const identity::Principal& holder) {
  if (host.is_paid(number)) return;
  host.keep_with_seat(number, backend().budgets.take_anyway(payers_of(holder), runtime::Resource::kSeats));
}

void PlayStream::on_clock_control(const v1::ClockControl& message) {
  const auto control = decode_clock_control(message);
  const bool is_operator = principal().kind == identity::PrincipalKind::kOperator;
  if (is_operator && !find_refusal(principal(), ControlClockCall::rpc(), *host_).ok()) {
    return host_->refuse(participants_.first().number, match::RejectionReason::kMayNotControl, 0,
                         "clock_control", "operators control the clocks of others on the admin listener");
  }
  if (control.ok()) {
    const auto& all = participants_.all();
    const auto may = std::ranges::find_if(
        all, [this](const StreamParticipant& one) { return host_->may_control_clock(one.number); });
    return host_->control_clock((may == all.end() ? all.front() : *may).number, *control);
  }
  const std::string& field = control.error().field;
  refuse_malformed(0, field.empty() ? "clock_control" : "clock_control." + field,
                   control.error().description);
}

void PlayStream::fill_ended(const runtime::MatchHost& host, v1::PlayResponse& response) {
  v1::Match& match = *response.mutable_ended()->mutable_match();
  encode_match(host, home().endpoint(), match);
  encode_former(host, match);
  leave_out_secrets(principal(), host, match);
}

}  // namespace sweepd::session
