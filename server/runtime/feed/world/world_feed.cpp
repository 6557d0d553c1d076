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
    return one.used + kUnusedTicksMax < tick;
  });
  if (channels_.empty()) return model_.reset();
  update_roster();
  PlayerEyes eyes(match_, rules_, roster_.roles);
  for (Open& one : channels_) {
    one.channel->note(*model_);
    one.channel->collect({match_, *model_, roster_, eyes});
  }
}

bool WorldFeed::has_room_for(const WorldScope& view) const {
  if (view.is_seated) return true;
  std::size_t in_use = 0;
  for (const Open& one : channels_) {
    const WorldScope& known = one.channel->view();
    if (!one.is_used() || known.is_seated) continue;
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
  while (channels_.size() >= kOpenMax && drop_longest_unused()) {
  }
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
