// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_place.h"

#include <utility>

namespace sweepd::runtime {

WorldPlace::WorldPlace(std::shared_ptr<WorldChannel> channel, const WorldResume& resume)
    : channel_(std::move(channel)) {
  if (resume.feed_id != channel_->id() || !channel_->covers(resume.tick)) return;
  told_ = resume.tick;
  is_snapshot_due_ = false;
}

void WorldPlace::begin_anew() {
  is_snapshot_due_ = true;
  snapshot_.reset();
}

void WorldPlace::take(match::Tick due, std::size_t bytes_max, std::vector<std::string_view>& told) {
  std::size_t bytes = 0;
  const auto tell = [&](const WorldChannel::Chunk& chunk) {
    told.emplace_back(chunk.bytes);
    bytes += chunk.bytes.size();
    told_ = chunk.tick;
  };
  if (!is_snapshot_due_) snapshot_.reset();  // It has been told; what waits for others is not held for this.
  if (has_fallen_off()) begin_anew();
  if (is_snapshot_due_) {
    if (!snapshot_) snapshot_ = channel_->snapshot();
    if (snapshot_->tick > due) return;
    tell(*snapshot_);
    is_snapshot_due_ = false;
    if (has_fallen_off()) return;  // Told late, and what came since is gone already.
  }
  channel_->visit_after(told_, [&](const WorldChannel::Chunk& chunk) {
    if (chunk.tick > due || bytes > bytes_max) return false;
    tell(chunk);
    return true;
  });
}

}  // namespace sweepd::runtime
