// SPDX-License-Identifier: MIT
#include "match/seats.h"

#include <algorithm>

#include "base/assert.h"
#include "match/participant_codec.h"

namespace sweepd::match {
namespace {

static_assert(std::uint64_t{kParticipantsMax} * kIdsPerParticipantMax < std::uint64_t{1} << 32,
              "every number has a block of ids of its own");

std::pair<ObjectId, ObjectId> block_of(ParticipantNumber number, const MatchConfig& config) {
  SWEEPD_ASSERT(number < kParticipantsMax);
  const ObjectId first = 1 + number * config.ids_per_participant;
  return {first, first + config.ids_per_participant - 1};
}

void give_block(Participant& participant, const MatchConfig& config, const ParticipantSlot* slot) {
  if (participant.role == Role::kObserver) return;
  if (slot != nullptr && slot->first_id != 0) {
    participant.first_id = slot->first_id;
    participant.last_id = slot->last_id;
    return;
  }
  const auto [first, last] = block_of(participant.number, config);
  participant.first_id = first;
  participant.last_id = last;
}

constexpr std::uint8_t kHasSentFrame = 1;
constexpr std::uint8_t kIsNew = 2;
constexpr std::uint8_t kSeatTraitsMax = 3;

/// Names every member: a new one does not compile until it is saved.
void write(base::ByteWriter& writer, const Seat& seat, bool with_messages) {
  const auto& [participant, frames, tally, has_sent_frame, is_new, away_since] = seat;
  write(writer, participant);
  frames.save(writer, with_messages);
  tally.save(writer);
  writer.byte(static_cast<std::uint8_t>((has_sent_frame ? kHasSentFrame : 0u) | (is_new ? kIsNew : 0u)));
  writer.number(away_since);
}

}  // namespace

base::Result<Seat*, JoinError> Seats::take(const Join& request, const IsBlockInUse& is_block_in_use) {
  if (request.name.empty() || request.name.size() > kNameBytesMax) return JoinError::kInvalidName;
  return config_.slots.empty() ? take_lowest(request, is_block_in_use) : take_slot(request, is_block_in_use);
}

base::Result<Seat*, JoinError> Seats::take_slot(const Join& request, const IsBlockInUse& is_block_in_use) {
  const auto slot = std::ranges::find(config_.slots, request.name, &ParticipantSlot::name);
  const bool is_listed = slot != config_.slots.end();
  // An observer may not take a listed name either: the participant of the slot could not join any more.
  if (is_listed ? slot->role != request.role : request.role != Role::kObserver) return JoinError::kNoSuchSlot;
  if (has_name(request.name)) return JoinError::kSlotTaken;
  if (!is_listed) return take_lowest(request, is_block_in_use);
  const auto number = static_cast<ParticipantNumber>(slot - config_.slots.begin());
  if (!is_free(number)) return JoinError::kSlotTaken;
  return sit_down(number, request, &*slot);
}

base::Result<Seat*, JoinError> Seats::take_lowest(const Join& request, const IsBlockInUse& is_block_in_use) {
  if (has_name(request.name)) return JoinError::kNameTaken;
  const auto number = request.role == Role::kObserver ? lowest_free_observer() : lowest_free(is_block_in_use);
  if (!number) return JoinError::kMatchFull;
  return sit_down(*number, request, nullptr);
}

Seat* Seats::sit_down(ParticipantNumber number, const Join& request, const ParticipantSlot* slot) {
  SWEEPD_ASSERT(is_free(number));
  Seat& seat = seats_[number];
  seat.participant.number = number;
  seat.participant.name = request.name;
  seat.participant.role = request.role;
  seat.participant.acts_as_stage = request.role == Role::kStage;
  give_block(seat.participant, config_, slot);
  return &seat;
}

void Seats::leave(ParticipantNumber number, bool has_objects) {
  const auto seat = seats_.find(number);
  SWEEPD_ASSERT(seat != seats_.end());
  SWEEPD_ASSERT(!has_objects || (seat->second.may_change() && !seat->second.is_new));
  if (seat->second.may_change() && !seat->second.is_new) {
    departures_.push_back({seat->second.participant, has_objects});
    if (former_.size() == kFormerParticipantsMax) former_.pop_front();
    former_.push_back(seat->second.participant);
  }
  seats_.erase(seat);
}

std::vector<Seats::Departure> Seats::departures() const {
  std::vector<Departure> departures = departures_;
  std::ranges::sort(departures, {}, [](const Departure& departure) { return departure.participant.number; });
  return departures;
}

void Seats::save(base::ByteWriter& writer) const {
  const auto& [config, seats, departures, former] = *this;
  writer.number(seats.size());
  for (const auto& [number, seat] : seats) write(writer, seat, config.app_messages_recorded);
  writer.number(departures.size());
  for (const auto& [participant, has_objects] : departures) {
    write(writer, participant);
    writer.boolean(has_objects);
  }
}

void Seats::restore(base::ByteReader& reader, Tick tick, const HasObjects& has_objects) {
  for (std::size_t i = reader.count(kParticipantBytesMin); i > 0 && reader.ok(); --i)
    restore_seat(reader, tick);
  for (std::size_t i = reader.count(kParticipantBytesMin); i > 0 && reader.ok(); --i)
    restore_departure(reader, tick);
  for (const auto& [number, seat] : seats_) {
    // Objects come with a tick, and that is over then.
    reader.require(!has_objects(number) || (seat.may_change() && !seat.is_new),
                   "is a participant that can have no objects");
  }
}

void Seats::restore_seat(base::ByteReader& reader, Tick tick) {
  Participant participant = read_participant(reader, tick);
  const ParticipantNumber number = participant.number;
  if (!reader.require(!seats_.contains(number), "is a seat that is taken")) return;
  Seat& seat = seats_[number];
  seat.participant = std::move(participant);
  seat.frames.restore(reader, tick);
  seat.tally.restore(reader);
  const std::uint8_t traits = reader.byte();
  reader.require(traits <= kSeatTraitsMax, "is no kind of seat");
  seat.has_sent_frame = (traits & kHasSentFrame) != 0;
  seat.is_new = (traits & kIsNew) != 0;
  seat.away_since = reader.number(tick);
  reader.require(seat.may_change() || !seat.frames.has_any(), "are frames of an observer");
}

void Seats::restore_departure(base::ByteReader& reader, Tick tick) {
  Participant participant = read_participant(reader, tick);
  const bool has_objects = reader.boolean();
  reader.require(participant.role != Role::kObserver, "is an observer who left");
  departures_.push_back({std::move(participant), has_objects});
}

void Seats::save_records(base::ByteWriter& writer) const {
  for (const auto& [number, seat] : seats_) write_records(writer, seat.participant);
  writer.number(former_.size());
  for (const Participant& participant : former_) {
    write(writer, participant);
    write_records(writer, participant);
  }
}

void Seats::restore_records(base::ByteReader& reader, Tick tick) {
  for (auto& [number, seat] : seats_) read_records(reader, seat.participant, config_.templates.size());
  const std::size_t count = reader.count(kParticipantBytesMin);
  if (!reader.require(count <= kFormerParticipantsMax, "are more who left than are kept")) return;
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    former_.push_back(read_participant(reader, tick));
    read_records(reader, former_.back(), config_.templates.size());
    reader.require(former_.back().role != Role::kObserver, "is an observer who left");
  }
}

Seats Seats::without_counts() const {
  const auto forget_counts = [](Participant& participant) {
    participant.rejections = 0;
    participant.rejections_by_reason = {};
    participant.template_refusals = {};
    participant.late_frames = 0;
    participant.late_ticks_max = 0;
    participant.bunched_frames = 0;
    participant.acknowledged_tick = 0;
    participant.claims = {};
  };
  Seats seats = *this;
  for (auto& [number, seat] : seats.seats_) {
    forget_counts(seat.participant);
    seat.frames.forget_acknowledged_ticks();
    seat.tally = {};
  }
  for (Departure& departure : seats.departures_) forget_counts(departure.participant);
  return seats;
}

Seat* Seats::find(ParticipantNumber number) {
  const auto seat = seats_.find(number);
  return seat == seats_.end() ? nullptr : &seat->second;
}

bool Seats::has_name(const std::string& name) const {
  return std::ranges::any_of(seats_,
                             [&](const auto& entry) { return entry.second.participant.name == name; });
}

bool Seats::is_free(ParticipantNumber number) const {
  return !seats_.contains(number) && std::ranges::none_of(departures_, [&](const Departure& departure) {
    return departure.participant.number == number && departure.has_objects;
  });
}

std::size_t Seats::frames_waiting() const {
  std::size_t count = 0;
  for (const auto& [number, seat] : seats_) count += seat.frames.size();
  return count;
}

std::uint32_t Seats::ready() const {
  const auto is_ready = [](const auto& entry) {
    return entry.second.may_change() && entry.second.has_sent_frame;
  };
  return static_cast<std::uint32_t>(std::ranges::count_if(seats_, is_ready));
}

std::optional<ParticipantNumber> Seats::lowest_free_observer() const {
  for (ParticipantNumber number = kParticipantsMax; number < kParticipantsMax + kObserversMax; ++number) {
    if (is_free(number)) return number;
  }
  return std::nullopt;
}

std::optional<ParticipantNumber> Seats::lowest_free(const IsBlockInUse& is_block_in_use) const {
  for (ParticipantNumber number = 0; number < kParticipantsMax; ++number) {
    const auto [first, last] = block_of(number, config_);
    if (is_free(number) && !is_block_in_use(first, last)) return number;
  }
  return std::nullopt;
}

}  // namespace sweepd::match
