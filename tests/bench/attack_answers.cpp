// SPDX-License-Identifier: MIT
//
// Attacks by questions whose answers are long, or are not taken.
#include <algorithm>
#include <deque>
#include <optional>

#include "bench/attack_client.h"

namespace sweepd::bench {
namespace {

using test::RawHttp2;

/// A MANUAL match with a pile as large as it may be: 1,124,250 encounters at once, or 31,125 in two ticks.
struct Pile {
  explicit Pile(const AttackTarget& target) {
    if (!is_filled(target, {1'500}) && !is_filled(target, {180, 70})) match.reset();
  }

  bool is_filled(const AttackTarget& target, const std::vector<int>& boxes) {
    players.clear();
    match.emplace(target, hostile_config(v1::CLOCK_KIND_MANUAL));
    if (!match->is_created()) return false;
    HostilePlayer& player = players.emplace_back(*match, "pile");
    return std::ranges::all_of(boxes, [&](int count) { return fill(*match, player, count, on_one_spot); });
  }

  std::optional<HostileMatch> match;  ///< None: there can be no pile.
  std::deque<HostilePlayer> players;
};

void ask_for_worlds(const AttackTarget& target) {
  HostileMatch match(target, hostile_config(v1::CLOCK_KIND_MANUAL));
  if (!match.is_created()) return;
  HostilePlayer player(match, "world");
  fill(match, player, 60'000, side_by_side);
  in_threads(60, [&](int) {
    const auto stub = v1::QueryService::NewStub(match.channel());
    v1::GetWorldRequest request;
    request.set_match_id(match.id());
    request.set_objects_max(2'000);
    while (target.goes_on()) {
      grpc::ClientContext context;
      limit_time(context, target);
      v1::GetWorldResponse response;
      const grpc::Status status = stub->GetWorld(&context, request, &response);
      if (!status.ok()) AttackTarget::pause();
      const bool has_more = status.ok() && response.has_more();
      request.set_after_object_id(has_more ? response.objects().rbegin()->object_id() : 0);
    }
  });
}

void ask_for_encounters(const AttackTarget& target) {
  Pile pile(target);
  if (!pile.match) return;
  in_threads(16, [&](int) {
    const auto stub = v1::QueryService::NewStub(pile.match->channel());
    v1::ListEncountersRequest request;
    request.set_match_id(pile.match->id());
    request.set_page_size(1);
    while (target.goes_on()) {
      grpc::ClientContext context;
      limit_time(context, target);
      v1::ListEncountersResponse response;
      if (!stub->ListEncounters(&context, request, &response).ok()) AttackTarget::pause();
    }
  });
}

/// The same call a thousand times on each of four connections, whose answers are not taken. Where a
/// connection is ended, another is made.
void take_no_answers(const AttackTarget& target, std::string_view path, const std::string& request) {
  in_threads(4, [&](int) {
    RawHttp2::Options options = hostile_http2(target);
    options.window_bytes = 0;
    while (target.goes_on()) {
      AttackTarget::pause();
      RawHttp2 connection(target.door, options);
      std::uint32_t stream = 1;
      while (target.goes_on() && stream < 2'000 && connection.send(RawHttp2::call(stream, path, request)) &&
             connection.drain())
        stream += 2;
      while (target.goes_on() && stream >= 2'000 && connection.drain()) AttackTarget::pause();
    }
  });
}

/// GetMatch answers with 480 KiB of masks.
void leave_matches_unread(const AttackTarget& target) {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_MANUAL);
  for (int i = 0; i < 60; ++i) {
    v1::BitMask& mask = *config.add_masks();
    mask.set_width(256);
    mask.set_height(256);
    mask.set_rows(std::string(8'192, static_cast<char>(i)));
  }
  const HostileMatch match(target, config);
  if (!match.is_created()) return;
  v1::GetMatchRequest request;
  request.set_match_id(match.id());
  take_no_answers(target, "/sweepd.v1.MatchService/GetMatch", request.SerializeAsString());
}

void leave_watches_unread(const AttackTarget& target) {
  Pile pile(target);
  if (!pile.match) return;
  v1::WatchRequest request;
  request.set_match_id(pile.match->id());
  take_no_answers(target, "/sweepd.v1.MatchService/Watch", request.SerializeAsString());
}

}  // namespace

std::vector<Attack> answer_attacks() {
  return {
      {"3c", "60 callers of GetWorld with 60,000 objects", ask_for_worlds},
      {"3d", "16 callers of ListEncounters of a pile, a page of one", ask_for_encounters},
      {"4a", "4,000 answers of GetMatch that are not taken, 480 KiB each", leave_matches_unread},
      {"4a front", "the same through the front", leave_matches_unread, "", true},
      {"4c", "4,000 Watch streams of a pile that are not read", leave_watches_unread},
      {"4c front", "the same through the front", leave_watches_unread, "", true},
  };
}

}  // namespace sweepd::bench
