// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_feed.h"

#include <algorithm>
#include <utility>

namespace sweepd::runtime {

void WorldFeed::tick_has_run() {
  if (!model_) return;
  const match::Tick tick = match_.tick();
  const match::Tick kept = std::max<match::Tick>(match_.config().retained_ticks, WorldChannel::kTicksMin);
  std::erase_if(channels_, [&](Open& one) {
    if (one.is_used()) one.used = tick;
    return one.used + kept < tick;
  });
  if (channels_.empty()) return model_.reset();
  update_roster();
  PlayerEyes eyes(match_, rules_, roster_.roles);
  for (Open& one : channels_) {
    one.channel->note(*model_);
    one.channel->collect({match_, *model_, roster_, eyes});
  }
}

bool WorldFeed::has_room_for(const WorldScope& view, bool is_alone) const {
  const auto in_use = static_cast<std::size_t>(std::ranges::count_if(channels_, &Open::is_used));
  return in_use < kChannelsMax || (!is_alone && std::ranges::any_of(channels_, [&](const Open& one) {
           return one.is_used() && one.channel->view() == view;
         }));
}

std::shared_ptr<WorldChannel> WorldFeed::open(const WorldScope& view, WorldEncode encode) {
  const auto known = std::ranges::find_if(channels_, [&](const Open& one) {
    return one.channel->view() == view && one.channel->encode() == encode;
  });
  if (known != channels_.end()) return known->channel;
  while (channels_.size() >= kChannelsMax && drop_longest_unused()) {
  }
  if (channels_.size() >= kOpenMax) return nullptr;
  if (!model_) model_ = std::make_unique<WorldModel>(match_);
  update_roster();
  PlayerEyes eyes(match_, rules_, roster_.roles);
  const WorldSource source{match_, *model_, roster_, eyes};
  channels_.push_back({std::make_shared<WorldChannel>(view, source, encode), match_.tick()});
  return channels_.back().channel;
}

bool WorldFeed::drop_longest_unused() {
  const auto oldest = std::ranges::min_element(
      channels_, {}, [](const Open& one) { return one.is_used() ? ~match::Tick{0} : one.used; });
  if (oldest->is_used()) return false;
  channels_.erase(oldest);
  return true;
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
