// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/feed/subscriber.h"
#include "runtime/feed/subscription.h"

namespace sweepd::runtime {

/// The subscribers of a match, each with its subscription, in the order in which they came. While they are
/// told of a tick the list is walked: a subscriber may leave then, and is only marked; nothing else of the
/// list may change.
class Followers {
 public:
  struct Follower {
    Subscriber* subscriber = nullptr;
    std::unique_ptr<Subscription> subscription;
    bool has_left = false;    ///< Until it is taken out.
    bool keeps_seat = false;  ///< If it has left.
    bool is_due = false;      ///< There is a tick that it has yet to be told of.
  };
  using HasTime = std::function<bool()>;

  Subscription& add(Subscriber& subscriber, std::unique_ptr<Subscription> subscription);

  bool empty() const { return followers_.empty(); }

  /// `subscriber` is one of them.
  Subscription& subscription_of(const Subscriber& subscriber);

  void mark_left(const Subscriber& subscriber, bool keeps_seat);
  /// Takes out those that have left.
  std::vector<Follower> take_left();
  /// Takes one out.
  void remove(const Subscriber& subscriber);

  /// Takes a participant from the stream that has its seat, and tells its subscriber: a stream of several
  /// goes on for the others, a stream of one is over. What the seat was told there; nothing: no stream has
  /// it.
  std::optional<Subscription::Seat> replace_stream_of(match::ParticipantNumber number);

  /// While they are told that a tick is due the list may change in any way.
  void tell_due();
  /// Those with a seat first, at least one of them, then the others, for as long as there is time. Whether
  /// all have been told.
  bool tell_tick(const HasTime& has_time = [] { return true; });
  /// Tells those that are left, of any tick; those that have waited longest come first.
  bool tell_rest(const HasTime& has_time);
  bool is_telling() const { return is_telling_; }
  void tell_move(std::size_t loop) const;

  /// The match is over: each is told so, and then its end by `tell_end`. No subscriber is added any more.
  void tell_over();
  /// Tells the end, to those with a seat first, at least to one, for as long as there is time. They are taken
  /// out before. Whether all have been told.
  bool tell_end(const MatchHost& host, const HasTime& has_time);

  /// The last tick that all of them were told; `last_tick` if there are none.
  match::Tick told_to_all(match::Tick last_tick) const;
  bool is_any_behind() const;

 private:
  std::vector<Follower>::iterator find(const Subscriber& subscriber);
  static void tell(Follower& follower);
  bool tell_those(bool with_seats, std::size_t& next, const HasTime& has_time);

  std::vector<Follower> followers_;
  std::vector<Subscriber*> due_;        ///< Those that are yet to be told.
  std::size_t next_with_seats_ = 0;     ///< Which of them is told first the next time.
  std::size_t next_without_seats_ = 0;  ///< And of those.
  bool is_telling_ = false;
};

}  // namespace sweepd::runtime
