// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "runtime/match/match_host.h"
#include "session/live_streams.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::session {

/// Where the loop of a match is reached.
struct Endpoint {
  std::string host;  ///< Empty: the host under which the client reached the server.
  std::uint32_t port = 0;
  std::uint32_t loop = 0;  ///< Its index.
};

/// Without the pixels of its masks.
void encode_match(const runtime::MatchHost& host, const Endpoint& endpoint, v1::Match& message);
void encode_match_whole(const runtime::MatchHost& host, const Endpoint& endpoint, v1::Match& message);
/// The scores of participants that left, where `message` has the rest of the match.
void encode_former(const runtime::MatchHost& host, v1::Match& message);

void encode_broken_rule(const match::BrokenRule& broken, v1::BrokenRule& message);
/// `templates`: of its match.
void encode_participant(const match::Participant& participant,
                        std::span<const match::ObjectTemplate> templates, v1::Participant& message);
void encode_encounter(const collision::Encounter& encounter, v1::Encounter& message);

/// Where a stream begins, for a client that has seen so much. Start: Joined or WatchStarted.
template <typename Start>
void encode_start(const runtime::MatchHost& host, const runtime::Subscription& subscription,
                  const std::optional<runtime::ResumePoint>& seen, Start& message) {
  const auto undone = seen ? host.undone(*seen) : std::nullopt;
  if (undone) {
    message.mutable_undone()->set_after_tick(undone->after_tick);
    message.mutable_undone()->set_after_sequence_number(undone->after_sequence_number);
    message.mutable_undone()->set_lost_ticks(undone->lost_ticks);
  }
  message.set_epoch(host.log().epoch());
  message.set_resumed(subscription.is_resumed());
  message.set_heartbeat_ms(static_cast<std::uint32_t>(kHeartbeatInterval.count()));
  if (subscription.is_resumed()) return;
  const auto encounters = subscription.open_encounters(host.match());
  message.mutable_open_encounters()->Reserve(static_cast<int>(encounters.size()));
  for (const auto& encounter : encounters) encode_encounter(encounter, *message.add_open_encounters());
}

}  // namespace sweepd::session
