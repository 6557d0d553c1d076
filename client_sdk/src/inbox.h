// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sweepd/types.h"

namespace sweepd::internal {

/// Events and rejections on their way from the stream's thread (puts) to the game's (takes), in order.
/// Holds at most `max` of both together. When an update does not fit, `put` takes nothing of it and says so;
/// the stream then fails as a whole, because a log with a hole in it is worth less than none.
class Inbox {
 public:
  explicit Inbox(std::size_t max) : max_(max) {}

  bool put(const std::vector<Event>& events, std::vector<Rejection> rejections) {
    const std::size_t added = events.size() + rejections.size();
    if (added == 0) return true;
    // Only `put` adds: between the check and the addition the number can but fall.
    if (size_.load(std::memory_order_acquire) + added > max_) return false;
    size_.fetch_add(added, std::memory_order_acq_rel);
    const std::lock_guard lock(mutex_);
    events_.arrived.insert(events_.arrived.end(), events.begin(), events.end());
    for (Rejection& rejection : rejections) rejections_.arrived.push_back(std::move(rejection));
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
