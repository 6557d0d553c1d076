// SPDX-License-Identifier: MIT
//
// Protects what the server makes of clients' messages: what it takes it can hand back so that it is taken as
// the same, and a match can be made or asked with it; what it refuses it names by a field of the message, in
// words that fit a status.

#include <algorithm>
#include <string>

#include "base/assert.h"
#include "base/visible_text.h"
#include "fuzz/decoders/decoder_table.h"
#include "fuzz/decoders/followed_match.h"
#include "fuzz/decoders/messages.h"
#include "match/budget_maxima.h"
#include "rpc/peer.h"
#include "rpc/request_bytes.h"
#include "session/client_budget.h"
#include "session/clock_codec.h"
#include "session/listen_address.h"
#include "session/refusals.h"
#include "session/request_memory.h"
#include "session/subscription_codec.h"
#include "wire/claim_codec.h"
#include "wire/config_codec.h"
#include "wire/frame_codec.h"
#include "wire/page_token.h"
#include "wire/query_codec.h"
#include "wire/replay_codec.h"
#include "wire/shape_codec.h"

namespace sweepd::fuzz {
namespace {

using namespace sweepd::session;
using namespace sweepd::wire;
using google::protobuf::Message;
using match::FieldError;

const QuietMessages kQuiet;

/// A match that all questions are about; none changes it.
FollowedMatch& followed() {
  static FollowedMatch match;
  return match;
}

void check(const FieldError& error, const Message& message) {
  SWEEPD_ASSERT(!error.description.empty() && names_field(message, error.field));
}

v1::MatchConfig encoded(const match::MatchConfig& config) {
  v1::MatchConfig message;
  wire::encode_config(config, message);
  wire::encode_mask_rows(config, message);
  return message;
}

void read_config(std::string_view bytes) {
  const auto message = message_of<v1::MatchConfig>(bytes);
  if (!message) return;
  auto config = wire::decode_config(*message);
  if (!config) return check(config.error(), *message);
  const v1::MatchConfig whole = encoded(*config);
  const auto again = wire::decode_config(whole);
  SWEEPD_ASSERT(again.ok() && encoded(*again).SerializeAsString() == whole.SerializeAsString());
  if (const auto error = match::find_error(*config)) return check(*error, *message);
  if (const auto error = match::fill_budgets({}, *config)) return check(*error, *message);
  const auto match = match::Match::create(std::move(*config));
  SWEEPD_ASSERT(match.ok());
}

/// Of one stream, which may have positions of few objects.
void read_frames(std::string_view bytes) {
  constexpr std::size_t kPositionsMax = 8;
  wire::FrameDecoder decoder{wire::PositionTable(kPositionsMax)};
  wire::FrameDecoder::Undo undo;
  for_each_message<v1::Frame>(bytes, [&](const v1::Frame& message) {
    const auto frame = decoder.decode(message, undo);
    SWEEPD_ASSERT(decoder.objects() <= kPositionsMax);
    if (!frame) return check(frame.error(), message);
    SWEEPD_ASSERT(frame->relative_moves <= frame->moves.size());
    const auto rows = message.moves().id_delta_size() + message.absolute_moves().object_id_size();
    SWEEPD_ASSERT(frame->moves.size() == static_cast<std::size_t>(rows));
  });
}

void read_parts(std::string_view bytes) {
  const auto message = message_of<v1::Spawn>(bytes);
  if (!message) return;
  for (const collision::Part& part : wire::decode_parts(message->parts())) {
    if (is_inverted(part.box)) continue;  // Refused by every match.
    v1::Spawn whole;
    wire::encode_part(part, *whole.add_parts());
    SWEEPD_ASSERT(wire::decode_parts(whole.parts()).front() == part);
  }
}

void read_clock_control(std::string_view bytes) {
  const auto message = message_of<v1::ClockControl>(bytes);
  if (!message) return;
  const auto control = decode_clock_control(*message);
  if (control) return SWEEPD_ASSERT(control->is_paused || control->tick_rate_hz);
  if (!control.error().field.empty()) check(control.error(), *message);
}

/// What the stream has of a text that is wrong, the path leads to.
void read_request(std::string_view bytes) {
  static RequestMemory memory;
  const grpc::Slice slice(bytes.data(), bytes.size());
  rpc::RequestBytes incoming;
  incoming.buffer = grpc::ByteBuffer(&slice, 1);
  const auto request = memory.parse<v1::PlayRequest>(incoming);
  SWEEPD_ASSERT(incoming.size() == 0);
  if (request || request.error().field == "message") return;
  v1::PlayRequest begun;
  SWEEPD_ASSERT(!begun.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  check(request.error(), begun);
}

void read_join(std::string_view bytes) {
  const auto message = message_of<v1::Join>(bytes);
  if (!message) return;
  const auto options = decode_subscription(*message, followed().host());
  if (!options) check(options.error(), *message);
}

/// Epochs are random: 1 stands for that of the match.
void read_watch(std::string_view bytes) {
  auto message = message_of<v1::WatchRequest>(bytes);
  if (!message) return;
  if (message->resume().epoch() == 1) message->mutable_resume()->set_epoch(followed().host().log().epoch());
  const auto options = decode_subscription(*message, followed().host());
  if (!options) return check(options.error(), *message);
  followed().watch(*options);
}

/// What a question is asked of: the layers, and the world after the tick.
template <typename Request, typename Answer>
void ask(const Request& request, const Answer& answer) {
  const match::Match& match = followed().host().match();
  const auto layers = wire::decode_layers(request.layers(), match.config().layers.size());
  if (!layers) return check(layers.error(), request);
  collision::TestMeter meter(10'000);
  const match::Tick tick = request.at_tick();
  if (tick == 0) return answer(match.queries(), *layers, &meter);
  if (match.known_ticks().has(tick)) answer(match.world_at(tick), *layers, &meter);
}

void ask_region(std::string_view bytes) {
  const auto message = message_of<v1::QueryRegionRequest>(bytes);
  if (!message) return;
  const auto limit = wire::decode_limit("parts_max", message->parts_max(), {1000, wire::kAnswersMax});
  if (!limit) return check(limit.error(), *message);
  SWEEPD_ASSERT(*limit >= 1);
  const auto region = wire::decode_region(*message);
  if (!region) return check(region.error(), *message);
  ask(*message, [&](const auto& queries, std::uint64_t layers, collision::TestMeter* meter) {
    SWEEPD_ASSERT(std::ranges::is_sorted(queries.in_region(*region, layers, meter)));
  });
}

void ask_ray(std::string_view bytes) {
  const auto message = message_of<v1::CastRayRequest>(bytes);
  if (!message) return;
  const collision::Ray ray{{message->from_x(), message->from_y()}, {message->to_x(), message->to_y()}};
  ask(*message, [&](const auto& queries, std::uint64_t layers, collision::TestMeter* meter) {
    const auto hits = queries.all_hits(ray, layers, meter);
    SWEEPD_ASSERT(std::ranges::is_sorted(hits) &&
                  (hits.empty() || hits.back().steps <= collision::kRaySteps));
  });
}

void ask_nearest(std::string_view bytes) {
  const auto message = message_of<v1::FindNearestRequest>(bytes);
  if (!message) return;
  ask(*message, [&](const auto& queries, std::uint64_t layers, collision::TestMeter* meter) {
    const auto nearest = queries.nearest({message->x(), message->y()}, layers, meter);
    SWEEPD_ASSERT(!nearest || nearest->distance != collision::kNowhere);
  });
}

void ask_world(std::string_view bytes) {
  const auto message = message_of<v1::GetWorldRequest>(bytes);
  if (!message) return;
  const auto limit = wire::decode_limit("objects_max", message->objects_max(), {1000, wire::kObjectsMax});
  if (!limit) return check(limit.error(), *message);
  const match::Match& match = followed().host().match();
  if (!match.known_ticks().has(message->at_tick())) return;
  const auto world =
      match.world_at(message->at_tick(), {message->after_object_id(), static_cast<std::size_t>(*limit)});
  SWEEPD_ASSERT(world.objects().size() <= static_cast<std::size_t>(*limit));
  for (const match::PastObject& object : world.objects()) {
    SWEEPD_ASSERT(object.id > message->after_object_id());
    v1::ObjectState state;
    wire::encode_object(object, state);
  }
}

void ask_encounters(std::string_view bytes) {
  const auto message = message_of<v1::ListEncountersRequest>(bytes);
  if (!message) return;
  const auto after = wire::decode_page_token(message->page_token());
  if (after) SWEEPD_ASSERT(wire::decode_page_token(wire::encode_page_token(*after)) == after);
  const match::Match& match = followed().host().match();
  if (!match.known_ticks().has(message->at_tick())) return;
  for (const auto& encounter : match.encounters_at(message->at_tick(), {after, message->object_id(), 100})) {
    SWEEPD_ASSERT(!after || *after < encounter.key);
  }
}

void judge_claim(std::string_view bytes) {
  const auto message = message_of<v1::HitClaim>(bytes);
  if (!message) return;
  const runtime::MatchHost& host = followed().host();
  const match::HitClaim claim = wire::decode_claim(*message);
  if (claim.tolerance > host.match().config().claims.tolerance_max) return;  // A batch is refused for it.
  const auto verdict = host.match().judge(host.claimant(followed().participant()), claim);
  v1::ClaimVerdict encoded;
  wire::encode_verdict(verdict, encoded);
  SWEEPD_ASSERT(v1::Verdict_IsValid(encoded.verdict()) && encoded.verdict() != v1::VERDICT_UNSPECIFIED);
  SWEEPD_ASSERT(encoded.claim_number() == message->claim_number());
}

void read_verification_options(std::string_view bytes) {
  const auto message = message_of<v1::VerificationOptions>(bytes);
  if (!message) return;
  const auto options = wire::decode_verification_options(*message);
  if (!options) return check(options.error(), *message);
  SWEEPD_ASSERT(options->claimed_scores.size() == static_cast<std::size_t>(message->claimed_scores_size()));
}

/// A text of a request, which is UTF-8, said back in a status: it has to fit the 8 KiB that transports take,
/// as they write it.
void echo(std::string_view bytes) {
  if (!base::is_utf8(bytes)) return;
  const std::string text(bytes);
  const std::string beginning = clipped(text);
  SWEEPD_ASSERT(beginning.size() <= kEchoBytesMax + 3 && base::is_utf8(beginning));
  const match::Join join{text, match::Role::kPlayer};
  for (const Status& status :
       {match_not_found(text), match_moving(text), invalid_token(text), join_undone(text),
        invalid_config({text, text}), join_refused(match::JoinError::kNameTaken, join, text),
        join_refused(match::JoinError::kNoSuchSlot, join, text)}) {
    SWEEPD_ASSERT(!reason_of(status).empty() && !status.message().empty());
    SWEEPD_ASSERT(3 * status.message().size() + status.details().size() < 8000);
  }
}

void read_listen_address(std::string_view bytes) {
  const auto address = ListenAddress::parse(std::string(bytes));
  if (!address) return;
  const auto again = ListenAddress::parse(address->to_string());
  SWEEPD_ASSERT(again && again->host == address->host && again->port == address->port);
}

void read_peer(std::string_view bytes) {
  const auto endpoint = rpc::endpoint_of_peer(bytes);
  if (endpoint) SWEEPD_ASSERT(!runtime::key_of_address(endpoint->address()).empty());
}

constexpr Decoder kDecoders[] = {
    {"config", read_config},
    {"frames", read_frames},
    {"parts", read_parts},
    {"clock_control", read_clock_control},
    {"request", read_request},
    {"join", read_join},
    {"watch", read_watch},
    {"region", ask_region},
    {"ray", ask_ray},
    {"nearest", ask_nearest},
    {"world", ask_world},
    {"encounters", ask_encounters},
    {"claim", judge_claim},
    {"verification_options", read_verification_options},
    {"echo", echo},
    {"listen_address", read_listen_address},
    {"peer", read_peer},
};

}  // namespace
}  // namespace sweepd::fuzz

SWEEPD_FUZZ_DECODERS(sweepd::fuzz::kDecoders)
