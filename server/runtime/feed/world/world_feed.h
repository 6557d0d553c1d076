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
  /// Of subscribers that are no players or stages. Beyond these one of them can subscribe only if it asks for
  /// the same as another. Each costs every tick.
  static constexpr std::size_t kChannelsMax = 16;
  /// Players and stages have a channel each at most, or two while one comes back, and are never refused it.
  static constexpr std::size_t kOpenMax = kChannelsMax + 2 * match::kParticipantsMax;
  /// So long one is open that has lost its subscribers, and where a seat is kept for longer, so long: they
  /// may come back, and go on where they were.
  static constexpr match::Tick kUnusedTicksMax = 240;

  explicit WorldFeed(const match::Match& match) : match_(match), rules_(match.config()) {}

  void on_tick(const collision::TickNotes& notes) override {
    if (model_) model_->on_tick(notes);
  }
  /// After each tick but the last, for what it has brought to be told.
  void tick_has_run();

  /// Whether one more who asks so can subscribe. `own_id`: of the channel that it has, or had.
  bool has_room_for(const WorldScope& view, std::uint64_t own_id = 0) const;
  /// Stays open while it has subscribers, and for a while after. One that has none goes on only with a
  /// subscriber that names it (`resumed_id`): the next player of the seat may not know what was told.
  /// Between two ticks. Null: there is no room.
  std::shared_ptr<WorldChannel> open(const WorldScope& view, WorldEncode encode, std::uint64_t resumed_id);
  /// Of a subscriber that asks for something else from now on: its channel is not kept for it.
  void close_if_unused(std::uint64_t id);

 private:
  struct Open {
    std::shared_ptr<WorldChannel> channel;
    match::Tick used = 0;  ///< The last tick in which it had a subscriber.
    bool is_used() const { return channel.use_count() > 1; }
    bool is_shared() const { return channel.use_count() > 2; }
  };
  void update_roster();
  match::Tick kept_ticks(const Open& one) const;
  void make_room(bool is_seated);

  const match::Match& match_;
  const match::Visibility rules_;
  std::unique_ptr<WorldModel> model_;  ///< While any channel is open.
  Roster roster_;
  std::optional<std::uint64_t> roster_version_;
  std::vector<Open> channels_;
};

}  // namespace sweepd::runtime
