// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <type_traits>
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

  /// Events with greater numbers that wait are given up: what is put from now on may have such again.
  void undo_events(std::uint64_t after_sequence_number) {
    const std::lock_guard lock(mutex_);
    const auto is_undone = [after_sequence_number](const Event& event) {
      return event.sequence_number > after_sequence_number;
    };
    size_.fetch_sub(std::erase_if(events_.arrived, is_undone), std::memory_order_acq_rel);
    undone_after_ = std::min(undone_after_.value_or(after_sequence_number), after_sequence_number);
    has_undone_.store(true, std::memory_order_release);
  }

  std::optional<Event> take_event() {
    if (has_undone_.load(std::memory_order_acquire)) drop_undone();
    return take(&events_);
  }
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
      // What arrived was freed of what is undone when that was said; what comes now is to be taken.
      if constexpr (std::is_same_v<Item, Event>) forget_undone();
    }
    if (lane->taken.empty()) return std::nullopt;
    size_.fetch_sub(1, std::memory_order_acq_rel);
    return std::move(lane->taken[lane->next++]);
  }

  /// Of what the game's thread has in hand.
  void drop_undone() {
    const std::lock_guard lock(mutex_);
    if (!undone_after_) return;
    std::vector<Event>& taken = events_.taken;
    const auto rest = taken.begin() + static_cast<std::ptrdiff_t>(events_.next);
    const auto end = std::remove_if(
        rest, taken.end(), [this](const Event& event) { return event.sequence_number > *undone_after_; });
    size_.fetch_sub(static_cast<std::size_t>(taken.end() - end), std::memory_order_acq_rel);
    taken.erase(end, taken.end());
    forget_undone();
  }

  void forget_undone() {
    undone_after_.reset();
    has_undone_.store(false, std::memory_order_release);
  }

  const std::size_t max_;
  std::atomic<std::size_t> size_ = 0;
  std::atomic<bool> has_undone_ = false;  ///< There is an undone_after_.
  std::mutex mutex_;
  std::optional<std::uint64_t> undone_after_;  ///< Guarded by mutex_: events_.taken may have greater numbers.
  Lane<Event> events_;
  Lane<Rejection> rejections_;
};

}  // namespace sweepd::internal
