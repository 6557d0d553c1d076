// SPDX-License-Identifier: MIT
#include "session/update_codec.h"

#include "session/clock_codec.h"
#include "session/match_codec.h"
#include "wire/claim_codec.h"
#include "wire/message_codec.h"
#include "wire/scoring_codec.h"

namespace sweepd::session {
namespace {

constexpr std::size_t kUpdateBytes = 16;
constexpr std::size_t kEventBytes = 19;  // With all its columns, two of them ids of up to five bytes.
constexpr std::size_t kDestructionBytes = 26;
constexpr std::size_t kScoreBytes = 14;
constexpr std::size_t kEncounterBytes = 24;
constexpr std::size_t kOwnerChangeBytes = 14;
constexpr std::size_t kObjectIdBytes = 4;
constexpr std::size_t kVerdictBytes = 80;     // With the evidence: two boxes.
constexpr std::size_t kRejectionBytes = 24;   // And its texts.
constexpr std::size_t kBrokenRuleBytes = 20;  // And its texts.
constexpr std::size_t kWorldTickBytes = 4;    // Beside its own bytes.
constexpr std::size_t kMessageBytes = 14;     // And its own bytes.
constexpr std::size_t kLateBytes = 10;        // And a byte for each number.

static_assert(static_cast<int>(collision::ExitReason::kDestroyed) == v1::EXIT_REASON_DESTROYED);
static_assert(static_cast<int>(match::RejectionReason::kUnknownMask) == v1::REJECTION_REASON_UNKNOWN_MASK);
static_assert(static_cast<int>(match::RejectionReason::kTooManyMassChanges) ==
              v1::REJECTION_REASON_TOO_MANY_MASS_CHANGES);
static_assert(static_cast<int>(match::RejectionReason::kNotInTemplate) ==
              v1::REJECTION_REASON_NOT_IN_TEMPLATE);
static_assert(static_cast<int>(match::RejectionReason::kTooManyMessages) ==
              v1::REJECTION_REASON_TOO_MANY_MESSAGES);
static_assert(static_cast<int>(match::RejectionReason::kNotAParticipant) ==
              v1::REJECTION_REASON_NOT_A_PARTICIPANT);
static_assert(static_cast<int>(match::RejectionReason::kTooFast) == v1::REJECTION_REASON_TOO_FAST);
static_assert(static_cast<int>(match::RejectionReason::kOutsidePlayfield) ==
              v1::REJECTION_REASON_OUTSIDE_PLAYFIELD);
static_assert(static_cast<int>(match::RejectionReason::kTooManyClaims) ==
              v1::REJECTION_REASON_TOO_MANY_CLAIMS);
static_assert(static_cast<int>(match::RejectionReason::kMayNotControl) ==
              v1::REJECTION_REASON_MAY_NOT_CONTROL);

void encode_rejection(const match::Rejection& rejection, v1::Rejection& message) {
  message.set_tick(rejection.tick);
  message.set_frame_tick(rejection.frame_tick);
  message.set_reason(static_cast<v1::RejectionReason>(rejection.reason));
  message.set_field(rejection.field);
  message.set_object_id(rejection.object);
  message.set_message(rejection.message);
  if (rejection.broken_rule) encode_broken_rule(*rejection.broken_rule, *message.mutable_broken_rule());
}

std::size_t bytes_of(const match::Rejection& rejection) {
  const std::size_t rule_bytes = rejection.broken_rule
                                     ? kBrokenRuleBytes + rejection.broken_rule->rule.size() +
                                           rejection.broken_rule->template_name.size()
                                     : 0;
  return kRejectionBytes + rejection.field.size() + rejection.message.size() + rule_bytes;
}

// Facts of a tick. What they take on the wire, about.

std::size_t encode_facts(std::span<const match::Destruction> destructions, match::Tick tick,
                         v1::TickUpdate& update) {
  for (const match::Destruction& destruction : destructions) {
    v1::Destruction& message = *update.add_destructions();
    message.set_object_id(destruction.what.object);
    message.set_by_object_id(destruction.what.by);
    message.set_owner(destruction.owner);
    message.set_by_owner(destruction.by_owner);
    message.set_layer(destruction.what.layer);
    message.set_by_layer(destruction.what.by_layer);
    message.set_tick(tick);
  }
  return destructions.size() * kDestructionBytes;
}

std::size_t encode_facts(std::span<const match::OwnerChange> changes, match::Tick tick,
                         v1::TickUpdate& update) {
  std::size_t bytes = 0;
  for (const match::OwnerChange& change : changes) {
    v1::OwnerChange& message = *update.add_owner_changes();
    message.set_from_participant(change.from);
    message.set_to_participant(change.to);
    message.set_with_stage(change.with_stage);
    message.mutable_object_ids()->Add(change.objects.begin(), change.objects.end());
    message.set_tick(tick);
    bytes += kOwnerChangeBytes + change.objects.size() * kObjectIdBytes;
  }
  return bytes;
}

std::size_t encode_facts(std::span<const match::ParticipantNumber> late_participants, match::Tick tick,
                         v1::TickUpdate& update) {
  if (late_participants.empty()) return 0;
  v1::LateParticipants& late = *update.add_late_participants();
  late.set_tick(tick);
  for (const match::ParticipantNumber number : late_participants) late.add_participants(number);
  return kLateBytes + late_participants.size();
}

std::size_t encode_facts(std::span<const match::ToldMessage> messages, match::Tick tick,
                         v1::TickUpdate& update) {
  std::size_t bytes = 0;
  for (const match::ToldMessage& told : messages) {
    v1::ToldMessage& message = *update.add_messages();
    message.set_tick(tick);
    message.set_from_participant(told.from);
    wire::encode_message(told.message, *message.mutable_message());
    bytes += kMessageBytes + told.message.bytes.size();
  }
  return bytes;
}

/// A column is empty until the first row in which it says something.
template <typename Column, typename Value>
void add_sparse(Column& column, int rows, Value value, Value usual) {
  if (column.empty() && value == usual) return;
  column.Resize(rows, usual);
  column.Set(rows - 1, value);
}

template <typename Encounters>
void encode_encounters(std::span<const collision::Encounter> encounters, Encounters& messages) {
  for (const collision::Encounter& encounter : encounters) encode_encounter(encounter, *messages.Add());
}

}  // namespace

void UpdateBuilder::add(const runtime::TickReport& report, v1::TickUpdate& update) {
  if (bytes_ == 0) bytes_ = kUpdateBytes;
  update.set_tick(report.tick);
  update.set_digest(report.digest);
  update.set_last_sequence_number(report.last_sequence_number);
  add_marks(report, update);
  add_state(report, update);
  if (!report.events.empty()) add_events(report.events, columns_of(update));
  match::for_each_fact([&](const auto& facts) { bytes_ += encode_facts(facts, report.tick, update); },
                       report);
  for (const match::Score& score : report.scores) add_score(score, update);
  std::uint64_t not_listed = update.rejections_not_listed() + report.rejections_not_listed;
  for (const match::Rejection& rejection : report.rejections) {
    if (update.rejections_size() == kRejectionsListedMax) {
      ++not_listed;
      continue;
    }
    v1::Rejection& message = *update.add_rejections();
    encode_rejection(rejection, message);
    if (report.names_participants) message.set_participant(rejection.participant);
    bytes_ += bytes_of(rejection);
  }
  update.set_rejections_not_listed(not_listed);
  for (const auto& verdict : report.claim_verdicts)
    wire::encode_verdict(verdict, *update.add_claim_verdicts());
  for (const auto& verdict : report.claim_warnings)
    wire::encode_verdict(verdict, *update.add_claim_warnings());
  bytes_ += (report.claim_verdicts.size() + report.claim_warnings.size()) * kVerdictBytes;
  for (const std::string_view tick : report.world) {
    update.add_world(tick.data(), tick.size());
    bytes_ += tick.size() + kWorldTickBytes;
  }
  if (report.clock) encode_clock_state(*report.clock, *update.mutable_clock());
}

/// Of several of one participant the last counts.
void UpdateBuilder::add_score(const match::Score& score, v1::TickUpdate& update) {
  for (v1::Score& told : *update.mutable_scores()) {
    const bool is_same =
        told.participant() == score.participant && told.name() == score.name && !told.has_left();
    if (is_same) return wire::encode_score(score, told);
  }
  wire::encode_score(score, *update.add_scores());
  bytes_ += kScoreBytes + score.name.size();
}

v1::EventColumns& UpdateBuilder::columns_of(v1::TickUpdate& update) {
  if (!update.has_events() && spare_events_) update.set_allocated_events(spare_events_.release());
  return *update.mutable_events();
}

void UpdateBuilder::add_events(std::span<const collision::Event> events, v1::EventColumns& columns) {
  if (columns.object_a_size() == 0) {
    columns.set_first_tick(events.front().tick);
    last_event_tick_ = events.front().tick;
    last_sequence_number_ = events.front().sequence_number - 1;
  }
  for (const collision::Event& event : events) add_event(event, columns);
  bytes_ += events.size() * kEventBytes;
}

void UpdateBuilder::add_event(const collision::Event& event, v1::EventColumns& columns) {
  columns.add_object_a(event.key.object_a);
  columns.add_object_b(event.key.object_b);
  columns.add_layer_a(event.key.layer_a);
  columns.add_layer_b(event.key.layer_b);
  const int rows = columns.object_a_size();
  const auto tick_delta = static_cast<std::uint32_t>(event.tick - last_event_tick_);
  add_sparse(*columns.mutable_tick_delta(), rows, tick_delta, 0u);
  add_sparse(*columns.mutable_reason(), rows, static_cast<int>(event.reason), 0);
  add_sparse(*columns.mutable_part_a(), rows, std::uint32_t{event.parts.part_a}, 0u);
  add_sparse(*columns.mutable_part_b(), rows, std::uint32_t{event.parts.part_b}, 0u);
  add_sparse(*columns.mutable_time_of_impact(), rows, std::uint32_t{event.time_of_impact},
             std::uint32_t{collision::kEndOfTick});
  const std::uint64_t gap = event.sequence_number - last_sequence_number_ - 1;
  add_sparse(*columns.mutable_sequence_gap(), rows, gap, std::uint64_t{0});
  last_event_tick_ = event.tick;
  last_sequence_number_ = event.sequence_number;
}

void UpdateBuilder::finish(v1::TickUpdate& update) const {
  if (!update.has_events()) return;
  v1::EventColumns& columns = *update.mutable_events();
  if (columns.first_tick() == update.tick()) columns.clear_first_tick();
  columns.set_events_after(update.last_sequence_number() - last_sequence_number_);
}

void UpdateBuilder::add_marks(const runtime::TickReport& report, v1::TickUpdate& update) {
  if (report.gap) {
    update.mutable_gap()->set_first(report.gap->first);
    update.mutable_gap()->set_last(report.gap->last);
  }
  if (report.snapshot) {
    encode_encounters(*report.snapshot, *update.mutable_snapshot()->mutable_open_encounters());
    bytes_ += report.snapshot->size() * kEncounterBytes;
  }
}

void UpdateBuilder::add_state(const runtime::TickReport& report, v1::TickUpdate& update) {
  if (report.stays) {
    update.mutable_stays()->set_tick(report.tick);
    encode_encounters(*report.stays, *update.mutable_stays()->mutable_encounters());
    bytes_ += report.stays->size() * kEncounterBytes;
  }
  if (report.absences) {
    update.mutable_participants_away()->mutable_numbers()->Assign(report.absences->begin(),
                                                                  report.absences->end());
    bytes_ += report.absences->size();
  }
}

void UpdateBuilder::clear(v1::TickUpdate& update) {
  // Clearing a message frees those within it. The events come with nearly every update: their columns stay.
  if (update.has_events()) {
    spare_events_.reset(update.release_events());
    spare_events_->Clear();
  }
  update.Clear();
  bytes_ = 0;
  last_sequence_number_ = 0;
  last_event_tick_ = 0;
}

}  // namespace sweepd::session
