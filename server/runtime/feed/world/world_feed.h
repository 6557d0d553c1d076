// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collision/tick_observer.h"
#include "runtime/feed/world/world_channel.h"

namespace sweepd::runtime {

/// What is told of the world of a match, to all that ask for it. Where none does it costs nothing.
class WorldFeed final : public collision::TickObserver {
 public:
  /// Beyond these only a subscriber that asks for the same as another can subscribe. Each costs every tick.
  static constexpr std::size_t kChannelsMax = 64;
  /// With what participants see by rules of visibility their channel changes, and there has to be one: so no
  /// more than these are ever open.
  static constexpr std::size_t kOpenMax = kChannelsMax + match::kParticipantsMax;

  explicit WorldFeed(const match::Match& match) : match_(match), rules_(match.config()) {}

  void on_tick(const collision::TickNotes& notes) override {
    if (model_) model_->on_tick(notes);
  }
  /// After each tick but the last, for what it has brought to be told.
  void tick_has_run();

  /// Whether one more who asks so can subscribe. `is_alone`: no other subscriber sees the same.
  bool has_room_for(const WorldScope& view, bool is_alone) const;
  /// Stays open while it has subscribers, and for a while after: they may come back. Between two ticks. Null:
  /// kOpenMax are in use, which cannot be where has_room_for was asked before each subscription.
  std::shared_ptr<WorldChannel> open(const WorldScope& view, WorldEncode encode);

 private:
  struct Open {
    std::shared_ptr<WorldChannel> channel;
    match::Tick used = 0;  ///< The last tick in which it had a subscriber.
    bool is_used() const { return channel.use_count() > 1; }
  };
  void update_roster();
  bool drop_longest_unused();

  const match::Match& match_;
  const match::Visibility rules_;
  std::unique_ptr<WorldModel> model_;  ///< While any channel is open.
  Roster roster_;
  std::optional<std::uint64_t> roster_version_;
  std::vector<Open> channels_;
};

}  // namespace sweepd::runtime
