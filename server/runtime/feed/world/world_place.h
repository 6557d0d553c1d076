// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "runtime/feed/world/world_channel.h"

namespace sweepd::runtime {

/// Where a subscriber was in a channel; `feed_id` 0: nowhere.
struct WorldResume {
  std::uint64_t feed_id = 0;
  match::Tick tick = 0;
};

/// A subscriber's place in what is told of the world: up to where it has been told.
class WorldPlace {
 public:
  WorldPlace(std::shared_ptr<WorldChannel> channel, const WorldResume& resume);

  const WorldChannel& channel() const { return *channel_; }
  /// What it has yet to be told is gone.
  bool has_fallen_off() const { return !is_snapshot_due_ && !channel_->covers(told_); }
  bool is_behind() const { return !is_snapshot_due_ && channel_->is_far_behind(told_); }

  /// What it is told next, of the ticks up to `due`; somewhat more than `bytes_max` at most. Valid until the
  /// next tick.
  void take(match::Tick due, std::size_t bytes_max, std::vector<std::string_view>& told);

 private:
  void begin_anew();

  std::shared_ptr<WorldChannel> channel_;
  match::Tick told_ = 0;
  bool is_snapshot_due_ = true;
  /// That it is told next; of a subscriber that is told late, when its tick is due.
  std::shared_ptr<const WorldChannel::Chunk> snapshot_;
};

}  // namespace sweepd::runtime
