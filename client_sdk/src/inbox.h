// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sweepd/stream.h"
#include "sweepd/types.h"

namespace sweepd::internal {

/// What one update brings a game.
struct Arrivals {
  std::vector<Event> events;
  std::vector<Rejection> rejections;

  std::size_t size() const { return events.size() + rejections.size(); }
};

/// Events and rejections on their way from the stream's thread (puts) to the game's (takes), in
/// order. Holds at most `max` of all together. When an update does not fit, `put` takes nothing of it and
/// says so; the stream then fails as a whole, because a log with a hole in it is worth less than none.
class Inbox {
 public:
  explicit Inbox(std::size_t max) : max_(max) {}

  bool put(Arrivals arrivals) {
    const std::size_t added = arrivals.size();
    if (added == 0) return true;
    // Only `put` adds: between the check and the addition the number can but fall.
    if (size_.load(std::memory_order_acquire) + added > max_) return false;
    size_.fetch_add(added, std::memory_order_acq_rel);
    const std::lock_guard lock(mutex_);
    move_to(&events_, &arrivals.events);
    move_to(&rejections_, &arrivals.rejections);
    return true;
  }

  std::optional<Event> take_event() { return take(&events_); }
  std::optional<Rejection> take_rejection() { return take(&rejections_); }

 private:
  /// Taken in bulk, so that a game that polls a thousand events locks once.
  template <typename Item>
  struct Lane {
    std::vector<Item> arrived;  ///< Guarded by mutex_.
    std::vector<Item> taken;    ///< The game's thread alone.
    std::size_t next = 0;       ///< In `taken`.
  };

  template <typename Item>
  static void move_to(Lane<Item>* lane, std::vector<Item>* items) {
    lane->arrived.insert(lane->arrived.end(), std::make_move_iterator(items->begin()),
                         std::make_move_iterator(items->end()));
  }

  template <typename Item>
  std::optional<Item> take(Lane<Item>* lane) {
    if (lane->next == lane->taken.size()) {
      lane->taken.clear();
      lane->next = 0;
      const std::lock_guard lock(mutex_);
      std::swap(lane->taken, lane->arrived);
    }
    if (lane->taken.empty()) return std::nullopt;
    size_.fetch_sub(1, std::memory_order_acq_rel);
    return std::move(lane->taken[lane->next++]);
  }

  const std::size_t max_;
  std::atomic<std::size_t> size_ = 0;
  std::mutex mutex_;
  Lane<Event> events_;
  Lane<Rejection> rejections_;
};

}  // namespace sweepd::internal
