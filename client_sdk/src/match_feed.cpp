// SPDX-License-Identifier: MIT
#include "sweepd/match_feed.h"

#include "subscription.h"

namespace sweepd {

std::optional<MatchInfo> MatchFeed::match() const { return subscription_->match(); }
Tick MatchFeed::tick() const { return subscription_->tick(); }
std::uint64_t MatchFeed::digest() const { return subscription_->digest(); }
Tick MatchFeed::digest_tick() const { return subscription_->digest_tick(); }
Tick MatchFeed::durable_tick() const { return subscription_->durable_tick(); }
EndReason MatchFeed::end_reason() const { return subscription_->end_reason(); }
ClockState MatchFeed::clock() const { return subscription_->clock(); }
std::chrono::milliseconds MatchFeed::silent_for() const { return subscription_->silent_for(); }
std::vector<Score> MatchFeed::scores() const { return subscription_->scores(); }
std::vector<ParticipantNumber> MatchFeed::participants_away() const {
  return subscription_->participants_away();
}

std::optional<Event> MatchFeed::poll_event() { return subscription_->inbox().take_event(); }
std::optional<Destruction> MatchFeed::poll_destruction() { return subscription_->take<Destruction>(); }
std::optional<OwnerChange> MatchFeed::poll_owner_change() { return subscription_->take<OwnerChange>(); }
std::optional<AppMessage> MatchFeed::poll_message() { return subscription_->take<AppMessage>(); }
std::optional<LateReport> MatchFeed::poll_late() { return subscription_->take<LateReport>(); }
std::optional<ClaimVerdict> MatchFeed::poll_claim_warning() { return subscription_->take_warning(); }
std::optional<EncounterSnapshot> MatchFeed::poll_snapshot() { return subscription_->take_snapshot(); }
std::optional<EventGap> MatchFeed::poll_gap() { return subscription_->take_gap(); }
std::optional<Stays> MatchFeed::poll_stays() { return subscription_->take_stays(); }

}  // namespace sweepd
