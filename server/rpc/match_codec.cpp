// SPDX-License-Identifier: MIT
#include "rpc/match_codec.h"

#include "base/assert.h"
#include "rpc/config_codec.h"

namespace sweepd::rpc {
namespace {

v1::MatchState state_of(const runtime::MatchHost& host) {
  if (host.match().ended()) return v1::MATCH_STATE_ENDED;
  const bool waits = host.match().config().clock == match::ClockKind::kRealtime && !host.clock_runs();
  return waits ? v1::MATCH_STATE_WAITING : v1::MATCH_STATE_RUNNING;
}

void append_event(const collision::Event& event, v1::EventColumns* columns) {
  columns->add_kind(static_cast<v1::EventKind>(event.kind));
  columns->add_reason(static_cast<v1::ExitReason>(event.reason));
  columns->add_object_a(event.key.object_a);
  columns->add_object_b(event.key.object_b);
  columns->add_layer_a(event.key.layer_a);
  columns->add_layer_b(event.key.layer_b);
  columns->add_part_a(event.parts.part_a);
  columns->add_part_b(event.parts.part_b);
}

void append_events(const runtime::TickReport& report, v1::TickUpdate* update) {
  if (report.events.empty()) return;
  v1::EventColumns* columns = update->mutable_events();
  std::uint64_t tick_before = report.tick;
  if (columns->kind_size() == 0) {
    columns->set_first_sequence_number(report.events.front().sequence_number);
    columns->set_first_tick(report.tick);
  } else {
    tick_before = columns->first_tick();
    for (const std::uint32_t delta : columns->tick_delta()) tick_before += delta;
  }
  for (const collision::Event& event : report.events) {
    SWEEPD_ASSERT(event.tick >= tick_before);
    columns->add_tick_delta(static_cast<std::uint32_t>(event.tick - tick_before));
    tick_before = event.tick;
    append_event(event, columns);
  }
}

void append_rejection(const match::Rejection& rejection, v1::TickUpdate* update) {
  v1::Rejection* message = update->add_rejections();
  message->set_tick(rejection.tick);
  message->set_frame_tick(rejection.frame_tick);
  message->set_reason(static_cast<v1::RejectionReason>(rejection.reason));
  message->set_field(rejection.field);
  message->set_object_id(rejection.object);
  message->set_message(rejection.message);
}

}  // namespace

void encode_match(const runtime::MatchHost& host, const Endpoints& endpoints, v1::Match* message) {
  const match::Match& match = host.match();
  message->set_match_id(host.match_id());
  encode_config(match.config(), message->mutable_config());
  message->set_state(state_of(host));
  message->set_tick(match.tick());
  message->set_digest(match.digest());
  message->set_events(match.last_sequence_number());
  message->set_objects(static_cast<std::uint32_t>(match.object_count()));
  message->set_open_encounters(static_cast<std::uint32_t>(match.encounter_count()));
  for (const match::Participant& participant : match.participants()) {
    encode_participant(participant, message->add_participants());
  }
  message->mutable_endpoint()->set_host(endpoints.host);
  message->mutable_endpoint()->set_port(endpoints.loop_ports.at(host.loop().index()));
  message->set_create_time_unix_ms(host.create_time_unix_ms());
}

void encode_participant(const match::Participant& participant, v1::Participant* message) {
  message->set_number(participant.number);
  message->set_name(participant.name);
  message->set_role(encode_role(participant.role));
  message->set_first_id(participant.first_id);
  message->set_last_id(participant.last_id);
  message->set_objects(participant.objects);
  message->set_rejections(participant.rejections);
  message->set_late_frames(participant.late_frames);
  message->set_acknowledged_tick(participant.acknowledged_tick);
}

void encode_encounter(const collision::Encounter& encounter, v1::Encounter* message) {
  message->set_object_a(encounter.key.object_a);
  message->set_object_b(encounter.key.object_b);
  message->set_layer_a(encounter.key.layer_a);
  message->set_layer_b(encounter.key.layer_b);
  message->set_part_a(encounter.parts.part_a);
  message->set_part_b(encounter.parts.part_b);
  message->set_since_tick(encounter.since_tick);
}

void append_report(const runtime::TickReport& report, v1::TickUpdate* update) {
  update->set_tick(report.tick);
  update->set_digest(report.digest);
  append_events(report, update);
  for (const match::Rejection& rejection : report.rejections) append_rejection(rejection, update);
  update->set_rejections_not_listed(update->rejections_not_listed() + report.rejections_not_listed);
}

}  // namespace sweepd::rpc
