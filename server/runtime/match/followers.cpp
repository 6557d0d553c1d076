// SPDX-License-Identifier: MIT
#include "runtime/match/followers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {

Subscription& Followers::add(Subscriber& subscriber, std::unique_ptr<Subscription> subscription) {
  SWEEPD_ASSERT(!is_telling_);
  followers_.push_back({.subscriber = &subscriber, .subscription = std::move(subscription)});
  return *followers_.back().subscription;
}

std::vector<Followers::Follower>::iterator Followers::find(const Subscriber& subscriber) {
  const auto it = std::ranges::find(followers_, &subscriber, &Follower::subscriber);
  SWEEPD_ASSERT(it != followers_.end() && !it->has_left);
  return it;
}

Subscription& Followers::subscription_of(const Subscriber& subscriber) {
  SWEEPD_ASSERT(!is_telling_);
  return *find(subscriber)->subscription;
}

void Followers::mark_left(const Subscriber& subscriber, bool keeps_seat) {
  const auto it = find(subscriber);
  it->has_left = true;
  it->keeps_seat = keeps_seat;
}

std::vector<Followers::Follower> Followers::take_left() {
  SWEEPD_ASSERT(!is_telling_);
  const auto first_left = std::stable_partition(followers_.begin(), followers_.end(),
                                                [](const Follower& follower) { return !follower.has_left; });
  std::vector<Follower> left(std::make_move_iterator(first_left), std::make_move_iterator(followers_.end()));
  followers_.erase(first_left, followers_.end());
  return left;
}

void Followers::remove(const Subscriber& subscriber) {
  SWEEPD_ASSERT(!is_telling_);
  followers_.erase(find(subscriber));
}

std::optional<Subscription::Seat> Followers::replace_stream_of(match::ParticipantNumber number) {
  SWEEPD_ASSERT(!is_telling_);
  const auto it = std::ranges::find_if(
      followers_, [number](const Follower& follower) { return follower.subscription->has_seat(number); });
  if (it == followers_.end()) return std::nullopt;
  Subscription& subscription = *it->subscription;
  if (subscription.seats().size() > 1) {
    const Subscription::Seat seat = subscription.remove_seat(number);
    it->subscriber->seat_replaced(number);
    return seat;
  }
  const Follower old = std::move(*it);
  followers_.erase(it);
  old.subscriber->replaced();
  return old.subscription->seats().front();
}

// In their order. A subscriber that comes meanwhile is told the next time; one that has left may be gone.
void Followers::tell_due() {
  due_.clear();
  for (const Follower& follower : followers_) due_.push_back(follower.subscriber);
  const auto is_here = [this](std::size_t place, const Subscriber* subscriber) {
    if (place < followers_.size() && followers_[place].subscriber == subscriber) return true;
    return std::ranges::find(followers_, subscriber, &Follower::subscriber) != followers_.end();
  };
  for (std::size_t i = 0; i < due_.size(); ++i)
    if (is_here(i, due_[i])) due_[i]->tick_is_due();
}

void Followers::tell(Follower& follower) {
  follower.is_due = false;
  if (!follower.has_left) follower.subscriber->tick_has_run();
}

bool Followers::tell_tick(const HasTime& has_time) {
  for (Follower& follower : followers_) follower.is_due = true;
  return tell_rest(has_time);
}

// One with a seat has time in any case: an update of a tick is bounded, and a match of one player is told at
// once.
bool Followers::tell_rest(const HasTime& has_time) {
  bool is_first = true;
  const HasTime has_player_time = [&] { return std::exchange(is_first, false) || has_time(); };
  is_telling_ = true;
  const bool are_all_told =
      tell_those(true, next_with_seats_, has_player_time) && tell_those(false, next_without_seats_, has_time);
  is_telling_ = false;
  return are_all_told;
}

bool Followers::tell_those(bool with_seats, std::size_t& next, const HasTime& has_time) {
  const std::size_t count = followers_.size();
  const std::size_t first = std::min(std::exchange(next, 0), count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = (first + i) % count;
    Follower& follower = followers_[place];
    if (!follower.is_due || follower.subscription->seats().empty() == with_seats) continue;
    if (!has_time()) {
      next = place;
      return false;
    }
    tell(follower);
  }
  return true;
}

void Followers::tell_move(std::size_t loop) const {
  for (const Follower& follower : followers_) follower.subscriber->match_moved(loop);
}

// The first are taken from the back then.
void Followers::tell_over() {
  SWEEPD_ASSERT(!is_telling_);
  std::stable_partition(followers_.begin(), followers_.end(),
                        [](const Follower& follower) { return !follower.subscription->seats().empty(); });
  std::reverse(followers_.begin(), followers_.end());
  for (const Follower& follower : followers_) follower.subscriber->match_is_over();
}

bool Followers::tell_end(const MatchHost& host, const HasTime& has_time) {
  for (bool is_first = true; !followers_.empty(); is_first = false) {
    if (!is_first && !has_time()) return false;
    const Follower follower = std::move(followers_.back());
    followers_.pop_back();
    follower.subscriber->match_ended(host);
  }
  return true;
}

match::Tick Followers::told_to_all(match::Tick last_tick) const {
  match::Tick told = last_tick;
  for (const Follower& follower : followers_) told = std::min(told, follower.subscription->told_tick());
  return told;
}

bool Followers::is_any_behind() const {
  return std::ranges::any_of(followers_,
                             [](const Follower& follower) { return follower.subscriber->is_behind(); });
}

}  // namespace sweepd::runtime
