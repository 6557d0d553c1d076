// SPDX-License-Identifier: MIT
//
// Protects games from what a server may send: the SDK makes a value or an error of any bytes. A log
// never goes back unless the server says so, what is decoded goes out again as it was, and nothing that is
// not signed passes for it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/assert.h"
#include "channel.h"
#include "clock_codec.h"
#include "event_decoder.h"
#include "fuzz/decoders/decoder_table.h"
#include "fuzz/decoders/messages.h"
#include "match_codec.h"
#include "object_ids.h"
#include "query_codec.h"
#include "receipt.h"
#include "server_status.h"
#include "stream_codec.h"
#include "subscription.h"
#include "verification_codec.h"
#include "world_mirror.h"

namespace sweepd::fuzz {
namespace {

using namespace sweepd::internal;

const QuietMessages kQuiet;

void check(const Status& error) { SWEEPD_ASSERT(!error.ok() && !error.message().empty()); }

void read_events(std::string_view bytes) {
  const auto update = message_of<v1::TickUpdate>(bytes);
  if (!update) return;
  std::vector<Event> events(1);  // What is there stays.
  if (const Status status = decode_events(*update, &events); !status.ok()) {
    check(status);
    return SWEEPD_ASSERT(events.size() == 1);
  }
  for (std::size_t i = 1; i < events.size(); ++i) {
    SWEEPD_ASSERT(events[i].sequence_number > events[i - 1].sequence_number);
    SWEEPD_ASSERT(events[i].tick >= events[i - 1].tick && events[i].tick <= update->tick());
  }
  SWEEPD_ASSERT(events.back().sequence_number <= update->last_sequence_number());
}

/// What a config was decoded from may be any; what it goes out as comes back as the same.
void check_config(const v1::Match& match) {
  v1::MatchConfig once;
  if (const auto error = encode(decode(match.config()), &once)) {
    return SWEEPD_ASSERT(names_field(match, error->field) && !error->what.empty());
  }
  v1::MatchConfig twice;
  SWEEPD_ASSERT(!encode(decode(once), &twice) && once.SerializeAsString() == twice.SerializeAsString());
}

void read_match(std::string_view bytes) {
  const auto message = message_of<v1::Match>(bytes);
  if (!message) return;
  const MatchInfo match = decode(*message);
  check_config(*message);
  SWEEPD_ASSERT(match.participants.size() == static_cast<std::size_t>(message->participants_size()));
  SWEEPD_ASSERT(target_of(match.endpoint, "127.0.0.1:7777").rfind(':') != std::string::npos);
}

/// A stream's messages, as the SDK's thread takes them, and a game that polls now and then.
class Stream {
 public:
  explicit Stream(bool is_filtered)
      : subscription_({.queued_max = 64, .is_filtered = is_filtered, .world_every_ticks = 1}) {}

  void take(const v1::PlayResponse& response) {
    const bool was_over = subscription_.is_over();
    const Tick tick = subscription_.tick();
    if (response.has_joined()) join(response.joined());
    if (response.has_update()) update(response.update());
    if (response.has_ended()) subscription_.end(response.ended().match());
    if (response.has_join_refused()) SWEEPD_ASSERT(!from_server(response.join_refused()).ok());
    if (response.has_heartbeat()) poll();
    SWEEPD_ASSERT(!was_over || subscription_.is_over());
    if (subscription_.state() == SessionState::kFailed) check(subscription_.error());
    const bool may_go_back = response.has_joined() && response.joined().has_undone();
    SWEEPD_ASSERT(may_go_back || subscription_.tick() >= tick);
  }

  void poll() {
    while (const auto event = subscription_.inbox().take_event()) {
      SWEEPD_ASSERT(event->sequence_number > polled_);
      polled_ = event->sequence_number;
    }
    while (subscription_.inbox().take_rejection()) {
    }
    while (const auto gap = subscription_.take_gap()) SWEEPD_ASSERT(gap->first <= gap->last);
    mirror_world();
    (void)subscription_.take<AppMessage>();
    (void)subscription_.take_snapshot();
    (void)subscription_.take_stays();
    (void)subscription_.take_verdict();
    (void)subscription_.take_reconnection();
  }

 private:
  /// On a stream that is there it breaks first.
  void join(const v1::Joined& joined) {
    const bool is_first = subscription_.state() == SessionState::kConnecting;
    subscription_.set_reconnecting();
    const std::optional<Undone> undone =
        joined.has_undone() ? std::optional(decode(joined.undone())) : std::nullopt;
    subscription_.add_seat(joined.participant());
    if (!subscription_.join({joined.match(), joined.open_encounters(), &joined.participant(), joined.epoch(),
                             joined.resumed(), undone},
                            {.resumed = joined.resumed(), .undone = undone})) {
      return SWEEPD_ASSERT(subscription_.is_over());
    }
    if (is_first) polled_ = joined.match().events();
    if (undone) polled_ = std::min(polled_, undone->after_sequence_number);
    SWEEPD_ASSERT(subscription_.match() && subscription_.seat(joined.participant().number()));
    v1::ResumePoint point;
    subscription_.write_resume_point(&point);
    SWEEPD_ASSERT(point.last_tick() == subscription_.tick());
  }

  void update(const v1::TickUpdate& update) {
    const bool is_followed = subscription_.state() == SessionState::kJoined;
    const Status status = subscription_.update(update);
    SWEEPD_ASSERT(status.ok() != (is_followed && subscription_.is_over()));
  }

  /// After an error the mirror is of no use: another one begins.
  void mirror_world() {
    for (const v1::WorldTick& tick : subscription_.world().take().ticks) {
      const Status status = mirror_.apply(tick);
      if (status.ok()) {
        SWEEPD_ASSERT(mirror_.tick() == tick.tick());
        continue;
      }
      check(status);
      mirror_ = WorldMirror();
    }
  }

  Subscription subscription_;
  WorldMirror mirror_;
  std::uint64_t polled_ = 0;  ///< The number of the last event.
};

/// The first byte says whether events are filtered.
void read_stream(std::string_view bytes) {
  if (bytes.empty()) return;
  Stream stream(bytes.front() % 2 != 0);
  for_each_message<v1::PlayResponse>(bytes.substr(1),
                                     [&](const v1::PlayResponse& response) { stream.take(response); });
  stream.poll();
}

/// The block of a seat, and a game that spawns in it.
void read_seat(std::string_view bytes) {
  const auto message = message_of<v1::Participant>(bytes);
  if (!message) return;
  const Participant participant = decode(*message);
  ObjectIds ids(participant.first_id, participant.last_id);
  for (int i = 0; i < 40; ++i) {
    const ObjectId id = ids.next_free();
    if (id == 0) return;
    SWEEPD_ASSERT(ids.contains(id) && !ids.in_use(id));
    ids.spawned(id, i % 3 == 0);
    if (i % 5 == 0) ids.despawned(id);
    if (i % 4 == 0) ids.frame_sent();
  }
}

void check_receipt(const Receipt& receipt) {
  const auto again = Receipt::from_json(receipt.to_json());
  SWEEPD_ASSERT(again.ok() && receipt_bytes(*again) == receipt_bytes(receipt));
  const PublicKey key = receipt.public_key.value_or(PublicKey{});
  const Status status = sweepd::check_receipt(receipt, key);
  SWEEPD_ASSERT(status.code() == ErrorCode::kPermissionDenied);
  check(status);
}

void read_receipt(std::string_view bytes) {
  if (const auto message = message_of<v1::Receipt>(bytes)) check_receipt(decode(*message));
}

void read_receipt_json(std::string_view bytes) {
  const auto receipt = Receipt::from_json(std::string(bytes));
  if (!receipt.ok()) return check(receipt.status());
  check_receipt(*receipt);
}

void read_public_key(std::string_view bytes) {
  const auto key = PublicKey::from_pem(std::string(bytes));
  if (!key.ok()) return check(key.status());
  const auto again = PublicKey::from_pem(key->to_pem());
  SWEEPD_ASSERT(again.ok() && *again == *key);
}

/// The first byte chooses the code, the others are the details.
void read_status(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto code = static_cast<grpc::StatusCode>(static_cast<unsigned char>(bytes.front()) % 17);
  const Status status = from_server({code, "refused", std::string(bytes.substr(1))});
  SWEEPD_ASSERT(status.ok() == (code == grpc::StatusCode::OK));
}

void read_verification(std::string_view bytes) {
  const auto message = message_of<v1::VerifyReplayResponse>(bytes);
  if (!message) return;
  const Verification verification = decode(*message);
  SWEEPD_ASSERT(verification.scores.size() == static_cast<std::size_t>(message->scores_size()));
  SWEEPD_ASSERT(to_string(verification.verdict)[0] != '\0');
}

/// Pages of an answer, for as long as there are more.
template <typename Response, typename Request, typename Answer>
void read_pages(std::string_view bytes) {
  Request request;
  Answer answer;
  bool has_more = true;
  for_each_message<Response>(bytes, [&](const Response& page) {
    if (!has_more) return;
    const Status status = take_page(page, &request, &answer);
    if (!status.ok()) check(status);
    has_more = status.ok() && page.has_more();
  });
}

void read_ray_hit(std::string_view bytes) {
  const auto message = message_of<v1::RayHit>(bytes);
  if (message) SWEEPD_ASSERT(decode(*message).distance >= 0);
}

void read_nearest(std::string_view bytes) {
  const auto message = message_of<v1::FindNearestResponse>(bytes);
  if (message) SWEEPD_ASSERT(decode(*message).has_value() == message->has_part());
}

constexpr Decoder kDecoders[] = {
    {"events", read_events},
    {"match", read_match},
    {"stream", read_stream},
    {"seat", read_seat},
    {"receipt", read_receipt},
    {"receipt_json", read_receipt_json},
    {"public_key", read_public_key},
    {"status", read_status},
    {"verification", read_verification},
    {"region", read_pages<v1::QueryRegionResponse, v1::QueryRegionRequest, std::vector<PartName>>},
    {"world", read_pages<v1::GetWorldResponse, v1::GetWorldRequest, World>},
    {"ray_hit", read_ray_hit},
    {"nearest", read_nearest},
};

}  // namespace
}  // namespace sweepd::fuzz

SWEEPD_FUZZ_DECODERS(sweepd::fuzz::kDecoders)
