// SPDX-License-Identifier: MIT
#include "match/participant_codec.h"

namespace sweepd::match {
namespace {

constexpr std::uint8_t kActsAsStage = 1;
constexpr std::uint8_t kIsAway = 2;
constexpr std::uint8_t kTraitsMax = 3;

/// A number and a block that its role can have: what else is asked of a participant rests on that.
bool is_possible(const Participant& participant) {
  const bool has_block = participant.first_id != 0 && participant.first_id <= participant.last_id;
  const bool has_none = participant.first_id == 0 && participant.last_id == 0;
  switch (participant.role) {
    case Role::kPlayer:
    case Role::kStage:
      return participant.number < kParticipantsMax && has_block;
    case Role::kObserver:
      return participant.number < kParticipantsMax + kObserversMax && has_none;
  }
  return false;
}

}  // namespace

/// Names every member: a new one does not compile until it is saved, or found to need no saving. The objects
/// are counted with each question; rejections are as many as there are for all reasons; for lateness
/// and templates see below.
void write(base::ByteWriter& writer, const Participant& participant) {
  const auto& [number, name, role, first_id, last_id, objects, rejections, late_frames, late_ticks_max,
               bunched_frames, acknowledged_tick, claims, acts_as_stage, frames_missed, rejections_by_reason,
               is_away, template_refusals] = participant;
  writer.number(number);
  writer.text(name);
  writer.byte(static_cast<std::uint8_t>(role));
  writer.number(first_id);
  writer.number(last_id);
  writer.number(late_frames);
  writer.number(acknowledged_tick);
  for (const std::uint64_t count : claims) writer.number(count);
  writer.byte(static_cast<std::uint8_t>((acts_as_stage ? kActsAsStage : 0u) | (is_away ? kIsAway : 0u)));
  writer.number(frames_missed);
  rejections_by_reason.save(writer);
}

void write_records(base::ByteWriter& writer, const Participant& participant) {
  writer.number(participant.late_ticks_max);
  writer.number(participant.bunched_frames);
  participant.template_refusals.save(writer);
}

void read_records(base::ByteReader& reader, Participant& participant, std::size_t templates) {
  participant.late_ticks_max = reader.number(collision::kTickMax);
  participant.bunched_frames = reader.number();
  participant.template_refusals.restore(reader, templates);
}

Participant read_participant(base::ByteReader& reader, Tick tick) {
  Participant participant;
  participant.number = reader.number32();
  participant.name = reader.text(kNameBytesMax);
  participant.role = static_cast<Role>(reader.byte());
  participant.first_id = reader.number32();
  participant.last_id = reader.number32();
  participant.late_frames = reader.number();
  participant.acknowledged_tick = reader.number(tick);
  for (std::uint64_t& count : participant.claims) count = reader.number();
  const std::uint8_t traits = reader.byte();
  participant.acts_as_stage = (traits & kActsAsStage) != 0;
  participant.is_away = (traits & kIsAway) != 0;
  participant.frames_missed = reader.number();
  participant.rejections_by_reason.restore(reader);
  participant.rejections = participant.rejections_by_reason.sum();
  reader.require(traits <= kTraitsMax && !participant.name.empty() && is_possible(participant),
                 "is a participant that cannot be");
  return participant;
}

}  // namespace sweepd::match
