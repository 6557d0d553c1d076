// SPDX-License-Identifier: MIT
#include "runtime/match/seat_desk.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/assert.h"

namespace sweepd::runtime {

SeatDesk::SeatDesk(replay::Recorder& recorder, const ClaimLog& claims, MatchMonitor& monitor)
    : recorder_(recorder), match_(recorder.match()), claims_(claims), monitor_(monitor) {}

SeatDesk::Record& SeatDesk::add(match::ParticipantNumber number) {
  return records_.insert_or_assign(number, Record{}).first->second;
}

std::optional<match::ParticipantNumber> SeatDesk::find(std::string_view name, std::string_view token,
                                                       const BudgetKey& owner) const {
  for (const auto& [number, record] : records_) {
    const auto participant = match_.find_participant(number);
    const bool is_it = participant && participant->name == name && record.owner == owner;
    if (is_it && record.tokens.is_good(token)) return number;
  }
  return std::nullopt;
}

base::Result<SeatDesk::TakenSeat, match::JoinError> SeatDesk::take(const match::Join& request,
                                                                   const BudgetKey& owner) {
  const auto participant = recorder_.apply(request);
  if (!participant.ok()) return participant.error();
  SeatTokens::Taken taken = SeatTokens::take();
  Record& record = add(participant->number);
  record.tokens = std::move(taken.tokens);
  record.owner = owner;
  record.told_claims = claims_.count();
  monitor_.joined(*participant);
  return TakenSeat{participant->number, std::move(taken.first)};
}

std::optional<SeatDesk::TakenSeat> SeatDesk::take_again(std::string_view name, std::string_view token,
                                                        const BudgetKey& owner, Journal::Position durable) {
  const auto number = find(name, token, owner);
  if (!number || !recorder_.apply(match::Back{*number})) return std::nullopt;
  monitor_.came_back(*number);
  return TakenSeat{*number, records_.at(*number).tokens.take_next(token, durable)};
}

std::size_t SeatDesk::count_of(const BudgetKey& owner, match::Role role) const {
  return static_cast<std::size_t>(std::ranges::count_if(records_, [&](const auto& entry) {
    const auto participant = match_.find_participant(entry.first);
    return entry.second.owner == owner && participant && participant->role == role;
  }));
}

bool SeatDesk::part_with(const Subscription::Seat& seat, bool keeps_seat) {
  note_told(seat);
  if (!keeps_seat) {
    vacate(seat.number);
    return true;
  }
  recorder_.apply(match::Away{seat.number});
  remove_vacant();  // With reconnect_ticks 0 it is.
  if (!match_.find_participant(seat.number)) return true;
  monitor_.is_away(seat.number);
  return false;
}

bool SeatDesk::give_up(std::string_view name, std::string_view token, const BudgetKey& owner) {
  const auto number = find(name, token, owner);
  if (!number || !match_.find_participant(*number)->is_away) return false;
  vacate(*number);
  return true;
}

void SeatDesk::vacate(match::ParticipantNumber number) {
  recorder_.apply(match::Leave{number});
  remove_vacant();
}

void SeatDesk::remove_vacant() {
  std::vector<match::ParticipantNumber> vacant;
  std::erase_if(records_, [&](const auto& entry) {
    const bool is_vacant = !match_.find_participant(entry.first);
    if (is_vacant) vacant.push_back(entry.first);
    return is_vacant;
  });
  monitor_.left(vacant);
}

void SeatDesk::apply_again(const match::Join& join) {
  // It was possible then, and nothing has happened since: it gets the same number.
  const auto joined = recorder_.apply(join);
  SWEEPD_ASSERT(joined.ok() && joined->number == join.number);
}

void SeatDesk::restore(const StoredState& state) {
  for (const match::SeatChange& arrival : state.arrivals)
    std::visit([this](const auto& change) { apply_again(change); }, arrival);
  for (const match::Participant& participant : match_.participants()) {
    Record& record = add(participant.number);
    std::vector<TokenDigest> good;
    for (const StoredState::Token& token : state.tokens)
      if (token.number == participant.number) good.push_back(token.digest);
    record.tokens = SeatTokens(std::move(good));
    const auto owner = std::ranges::find(state.owners, participant.number, &StoredState::Owner::number);
    if (owner != state.owners.end()) record.owner = owner->key;
    recorder_.apply(match::Away{participant.number});
  }
  remove_vacant();
}

std::vector<StoredState::Token> SeatDesk::tokens() const {
  std::vector<StoredState::Token> tokens;
  for (const match::Participant& participant : match_.participants()) {
    for (const TokenDigest& digest : records_.at(participant.number).tokens.digests())
      tokens.push_back({participant.number, digest});
  }
  return tokens;
}

std::vector<StoredState::Owner> SeatDesk::owners() const {
  std::vector<StoredState::Owner> owners;
  for (const auto& [number, record] : records_)
    if (!record.owner.empty()) owners.push_back({number, record.owner});
  return owners;
}

void SeatDesk::note_written(Journal::Position position) {
  for (auto& [number, record] : records_) record.tokens.note_written(position);
}

bool SeatDesk::update_absences() {
  std::vector<match::ParticipantNumber> away;
  for (const match::Participant& participant : match_.participants()) {
    if (participant.is_away) away.push_back(participant.number);
  }
  if (away == absences_.numbers) return false;
  absences_.numbers = std::move(away);
  ++absences_.version;
  return true;
}

Subscription::Seat SeatDesk::seat_of(match::ParticipantNumber number) const {
  const Record& record = records_.at(number);
  return {.number = number,
          .rejections = &record.rejections,
          .told_rejections = record.told_rejections,
          .told_claims = record.told_claims};
}

Subscription::Own SeatDesk::own_of(std::optional<match::ParticipantNumber> number) const {
  if (!number) return {.told_claims = claims_.count()};
  const Subscription::Seat seat = seat_of(*number);
  return {.seats = {seat}, .told_claims = seat.told_claims};
}

void SeatDesk::note_told(const Subscription::Seat& seat) {
  Record& record = records_.at(seat.number);
  record.told_rejections = seat.told_rejections;
  record.told_claims = seat.told_claims;
  record.delay.forget_sent();
}

void SeatDesk::take(const match::TickOutput& output) {
  if (output.rejections.empty() && output.rejections_not_listed.empty()) return;
  for (auto& [number, record] : records_) record.rejections.take(output, number);
}

void SeatDesk::note_sent(const Subscription& subscription, match::Tick tick, TimePoint now) {
  for (const Subscription::Seat& seat : subscription.seats()) records_.at(seat.number).delay.sent(tick, now);
}

void SeatDesk::note_acknowledged(match::ParticipantNumber number, match::Tick tick, TimePoint now) {
  records_.at(number).delay.acknowledged(tick, now);
}

std::optional<std::uint32_t> SeatDesk::delay_ticks_of(match::ParticipantNumber number,
                                                      std::uint32_t tick_rate_hz) const {
  if (match_.config().clock == match::ClockKind::kManual) return std::nullopt;
  const DelayMeter& delay = records_.at(number).delay;
  const bool is_bounded = match_.config().claims.window_rise_ticks != 0;
  return is_bounded ? delay.last_delay_ticks(tick_rate_hz) : delay.delay_ticks(tick_rate_hz);
}

bool SeatDesk::take_bytes(match::ParticipantNumber number, std::uint64_t bytes, TimePoint now) {
  const std::uint32_t per_second = match_.rights_of(number).bytes_per_second_max.value;
  return per_second == match::Rights::kNoLimit || allowances_[number].bytes.take(bytes, per_second, now);
}

}  // namespace sweepd::runtime
