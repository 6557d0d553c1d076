// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_feed.h"

#include <algorithm>
#include <utility>

namespace sweepd::runtime {

void WorldFeed::tick_has_run() {
  if (!model_) return;
  const match::Tick tick = match_.tick();
  std::erase_if(channels_, [&](Open& one) {
    if (one.is_used()) one.used = tick;
    return one.used + kept_ticks(one) < tick;
  });
  if (channels_.empty()) return model_.reset();
  update_roster();
  PlayerEyes eyes(match_, rules_, roster_.roles);
  for (Open& one : channels_) {
    one.channel->note(*model_);
    one.channel->collect({match_, *model_, roster_, eyes});
  }
}

match::Tick WorldFeed::kept_ticks(const Open& one) const {
  const match::Tick seat_kept = one.channel->view().is_seated ? match_.config().reconnect_ticks : 0;
  return std::max(kUnusedTicksMax, seat_kept);
}

bool WorldFeed::has_room_for(const WorldScope& view, std::uint64_t own_id) const {
  if (view.is_seated) return true;
  std::size_t in_use = 0;
  for (const Open& one : channels_) {
    const WorldScope& known = one.channel->view();
    if (known.is_seated) continue;
    if (one.channel->id() == own_id && !one.is_shared()) return true;
    if (!one.is_used()) continue;
    if (known == view) return true;
    ++in_use;
  }
  return in_use < kChannelsMax;
}

std::shared_ptr<WorldChannel> WorldFeed::open(const WorldScope& view, WorldEncode encode,
                                              std::uint64_t resumed_id) {
  const auto known = std::ranges::find_if(channels_, [&](const Open& one) {
    return one.channel->view() == view && one.channel->encode() == encode &&
           (one.is_used() || one.channel->id() == resumed_id);
  });
  if (known != channels_.end()) return known->channel;
  if (!has_room_for(view)) return nullptr;
  make_room(view.is_seated);
  if (channels_.size() >= kOpenMax) return nullptr;
  if (!model_) model_ = std::make_unique<WorldModel>(match_);
  update_roster();
  PlayerEyes eyes(match_, rules_, roster_.roles);
  const WorldSource source{match_, *model_, roster_, eyes};
  channels_.push_back({std::make_shared<WorldChannel>(view, source, encode), match_.tick()});
  return channels_.back().channel;
}

void WorldFeed::close_if_unused(std::uint64_t id) {
  std::erase_if(channels_, [id](const Open& one) { return one.channel->id() == id && !one.is_used(); });
}

/// For one more of those with or without a seat: those that are unused cost as much as the others, and so
/// count.
void WorldFeed::make_room(bool is_seated) {
  const std::size_t most = is_seated ? kOpenMax - kChannelsMax : kChannelsMax;
  const auto is_alike = [is_seated](const Open& one) { return one.channel->view().is_seated == is_seated; };
  if (static_cast<std::size_t>(std::ranges::count_if(channels_, is_alike)) < most) return;
  const auto since = [&](const Open& one) {
    return is_alike(one) && !one.is_used() ? one.used : ~match::Tick{0};
  };
  const auto oldest = std::ranges::min_element(channels_, {}, since);
  if (is_alike(*oldest) && !oldest->is_used()) channels_.erase(oldest);
}

void WorldFeed::update_roster() {
  if (std::exchange(roster_version_, match_.roster_version()) == match_.roster_version()) return;
  roster_ = {};
  for (match::Participant& one : match_.participants()) {
    if (one.role == match::Role::kObserver) continue;
    roster_.roles[one.number] = one.role;
    roster_.players.push_back({one.number, std::move(one.name), one.role});
  }
}

}  // namespace sweepd::runtime
