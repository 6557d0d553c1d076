// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "sweepd/types.h"
#include "sweepd/v1/world_feed.pb.h"
#include "sweepd/world.h"

namespace sweepd::internal {

/// What a view needs to know of an update beside the world.
struct UpdateArrival {
  Tick tick = 0;
  std::chrono::steady_clock::time_point at;
};

/// What has come of the world, on its way from the stream's thread to the game's.
class WorldInbox {
 public:
  /// Of memory, for a game that takes nothing: more than any snapshot, and minutes of a lively match. What
  /// came in is no measure: a kind of two bytes, say, takes fifty times as many here.
  static constexpr std::size_t kBytesMax = std::size_t{256} << 20;
  static constexpr std::size_t kArrivalsMax = 256;  ///< Of updates, and of frames; the newest are enough.

  struct News {
    std::vector<v1::WorldTick> ticks;
    std::vector<UpdateArrival> arrivals;
    std::vector<FrameArrival> frames;  ///< The session's own.
    std::uint32_t delay_ms = 0;
  };

  explicit WorldInbox(std::size_t bytes_max = kBytesMax) : bytes_max_(bytes_max) {}

  /// False: too much waits to be taken.
  bool put(v1::WorldTick tick) {
    const std::size_t bytes = tick.SpaceUsedLong();  // It looks at all of it: not under the lock.
    const std::lock_guard lock(mutex_);
    if (tick.is_snapshot()) clear_ticks();  // All before is void.
    if (bytes_ + bytes > bytes_max_) return false;
    bytes_ += bytes;
    news_.ticks.push_back(std::move(tick));
    return true;
  }
  void note_update(const UpdateArrival& arrival, std::uint32_t delay_ms) {
    const std::lock_guard lock(mutex_);
    if (news_.arrivals.size() == kArrivalsMax) news_.arrivals.erase(news_.arrivals.begin());
    news_.arrivals.push_back(arrival);
    if (delay_ms != 0) news_.delay_ms = delay_ms;
  }

  void note_frame(const FrameArrival& frame) {
    const std::lock_guard lock(mutex_);
    if (news_.frames.size() == kArrivalsMax) news_.frames.erase(news_.frames.begin());
    news_.frames.push_back(frame);
  }

  News take() {
    const std::lock_guard lock(mutex_);
    bytes_ = 0;
    News news = std::exchange(news_, {});
    news_.delay_ms = news.delay_ms;
    return news;
  }

 private:
  void clear_ticks() {
    news_.ticks.clear();
    bytes_ = 0;
  }

  const std::size_t bytes_max_;
  std::mutex mutex_;
  std::size_t bytes_ = 0;  ///< Of memory: those of the ticks.
  News news_;
};

}  // namespace sweepd::internal
