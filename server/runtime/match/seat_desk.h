// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/match.h"
#include "replay/recorder.h"
#include "runtime/budgets/budgets.h"
#include "runtime/budgets/byte_budget.h"
#include "runtime/feed/claim_log.h"
#include "runtime/feed/rejection_box.h"
#include "runtime/feed/subscription.h"
#include "runtime/journal/stored_state.h"
#include "runtime/match/delay_meter.h"
#include "runtime/match/match_monitor.h"
#include "runtime/match/seat_tokens.h"

namespace sweepd::runtime {

/// The seats of a match as its streams see them: takes them and vacates them, and keeps of each, beside the
/// match's own state, what outlives a stream. On the match's loop.
class SeatDesk {
 public:
  /// All must outlive it.
  SeatDesk(replay::Recorder& recorder, const ClaimLog& claims, MatchMonitor& monitor);

  struct TakenSeat {
    match::ParticipantNumber number = 0;
    std::string token;
  };
  /// `owner`: whose seat it is; no other comes back to it. Empty: no one's in particular.
  base::Result<TakenSeat, match::JoinError> take(const match::Join& request, const BudgetKey& owner);
  /// The seat of that name and token; nothing: there is none, or not any more. Its previous stream may still
  /// be there. `durable`: of the journal.
  std::optional<TakenSeat> take_again(std::string_view name, std::string_view token, const BudgetKey& owner,
                                      Journal::Position durable);
  /// The participant of a seat knows its token. True: a former one has ended.
  bool confirm_token(match::ParticipantNumber number) { return records_.at(number).tokens.confirm(); }

  const BudgetKey& owner_of(match::ParticipantNumber number) const { return records_.at(number).owner; }
  /// How many seats of the role it has.
  std::size_t count_of(const BudgetKey& owner, match::Role role) const;

  /// The stream of a seat is gone. `keeps_seat`: its participant is away then. True: the seat is vacant.
  bool part_with(const Subscription::Seat& seat, bool keeps_seat);
  /// Vacates the seat of a participant that is away. False: there is none of that name and token.
  bool give_up(std::string_view name, std::string_view token, const BudgetKey& owner);
  /// Forgets those that the match has vacated, as it does when one was kept for long enough.
  void remove_vacant();

  /// Of a seat that is taken: given back when it is vacant.
  void keep(match::ParticipantNumber number, Budgets::Share share) {
    records_.at(number).share = std::move(share);
  }
  bool is_paid(match::ParticipantNumber number) const { return !records_.at(number).share.empty(); }

  /// Of a match that is back from the journal: all are as they were, and away.
  void restore(const StoredState& state);
  std::vector<StoredState::Token> tokens() const;
  std::vector<StoredState::Owner> owners() const;
  /// What `tokens` has told is in the journal up to there; 0: there is none.
  void note_written(Journal::Position position);

  /// True: they are others than before.
  bool update_absences();
  const Absences& absences() const { return absences_; }

  /// What a subscription is made of, for a participant, or for nothing but watching.
  Subscription::Seat seat_of(match::ParticipantNumber number) const;
  Subscription::Own own_of(std::optional<match::ParticipantNumber> number) const;
  /// What its stream, which is gone, has told a seat.
  void note_told(const Subscription::Seat& seat);

  /// What a tick has brought, or was refused in between.
  void take(const match::TickOutput& output);

  /// The update of `tick` is being written to that subscription's stream.
  void note_sent(const Subscription& subscription, match::Tick tick, TimePoint now);
  void note_acknowledged(match::ParticipantNumber number, match::Tick tick, TimePoint now);
  Duration delay_of(match::ParticipantNumber number) const { return records_.at(number).delay.delay(); }
  /// Nothing with a MANUAL clock: the caller of steps decides how long a tick is.
  std::optional<std::uint32_t> delay_ticks_of(match::ParticipantNumber number,
                                              std::uint32_t tick_rate_hz) const;

  /// Whether so many bytes are within the participant's bytes_per_second_max, and takes them if so. The
  /// number's: to leave and take the seat again brings no more.
  bool take_bytes(match::ParticipantNumber number, std::uint64_t bytes, TimePoint now);

  /// The same of a message to others and app_messages_per_second, or kMessageBytesPerSecondMax.
  bool take_message(match::ParticipantNumber number, std::size_t bytes, TimePoint now) {
    Allowance& allowance = allowances_[number];
    return allowance.messages.take(1, match_.config().app_messages_per_second, now) &&
           allowance.message_bytes.take(bytes, kMessageBytesPerSecondMax, now);
  }
  /// All of them take a share of the match's log, which others need as well.
  static constexpr std::uint32_t kMessageBytesPerSecondMax = 16'384;

  /// Claims of a participant that may be asked about in a second, one second's worth at once: what a game
  /// needs to explain a verdict, and too few to search for claims that pass.
  static constexpr std::uint32_t kAskedClaimsPerSecondMax = 240;
  /// Whether so many are within that, and takes them if so.
  bool take_asked_claims(match::ParticipantNumber number, std::uint64_t claims, TimePoint now) {
    return allowances_[number].asked_claims.take(claims, kAskedClaimsPerSecondMax, now);
  }

 private:
  struct Record {
    SeatTokens tokens;
    BudgetKey owner = {};
    RejectionBox rejections;
    std::uint64_t told_rejections = 0;  ///< How many of them the last stream was told.
    std::uint64_t told_claims = 0;      ///< The same of the match's verdicts on claims.
    DelayMeter delay;
    Budgets::Share share;  ///< Of its holder's seats.
  };

  /// Of a number, with any holder of the seat: a new stream gets no new one, nor does a participant that
  /// leaves and joins again.
  struct Allowance {
    ByteBudget bytes;         ///< Of its frames.
    ByteBudget asked_claims;  ///< As many as may be asked about.
    ByteBudget messages;      ///< As many as may be sent.
    ByteBudget message_bytes;
  };

  std::optional<match::ParticipantNumber> find(std::string_view name, std::string_view token,
                                               const BudgetKey& owner) const;
  Record& add(match::ParticipantNumber number);
  void vacate(match::ParticipantNumber number);
  void apply_again(const match::Join& join);
  void apply_again(const auto& change) { static_cast<void>(recorder_.apply(change)); }

  replay::Recorder& recorder_;
  const match::Match& match_;
  const ClaimLog& claims_;
  MatchMonitor& monitor_;
  std::map<match::ParticipantNumber, Record> records_;        ///< Of all seats that are taken.
  std::map<match::ParticipantNumber, Allowance> allowances_;  ///< Of all that were.
  Absences absences_;
};

}  // namespace sweepd::runtime
