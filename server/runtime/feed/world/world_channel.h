// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "runtime/feed/world/sight_scan.h"
#include "runtime/feed/world/world_budget.h"
#include "runtime/feed/world/world_interest.h"
#include "runtime/feed/world/world_kinds.h"
#include "runtime/feed/world/world_model.h"
#include "runtime/feed/world/world_tick.h"
#include "runtime/feed/world/world_urgency.h"
#include "runtime/feed/world/world_window.h"

namespace sweepd::runtime {

/// Players and stages of a match, as far as channels tell of them.
struct Roster {
  std::vector<WorldTick::Participant> players = {};
  Roles roles = {};
};

/// What channels tell of.
struct WorldSource {
  const match::Match& match;
  const WorldModel& model;
  const Roster& roster;
  PlayerEyes& eyes;
};

/// What all are told that ask for the same of the world with the same eyes: put together and encoded once a
/// tick, and kept for a while for those who take it later. What it has told is what it compares the world
/// with, so a mirror that missed nothing is exact. With a budget of bytes, what is near and new
/// is told first; what waits is marked as late.
///
/// Bounded: by ticks and bytes the oldest goes. A subscriber that waited for it begins anew with a snapshot.
class WorldChannel {
 public:
  static constexpr std::size_t kBytesMax = std::size_t{1} << 20;
  static constexpr std::size_t kDelayedBytesMax = std::size_t{16} << 20;  ///< Where all wait to be due.
  static constexpr match::Tick kTicksMin = 240;  ///< Are kept, however little the match keeps of its log.

  struct Chunk {
    match::Tick tick = 0;
    std::string bytes;
  };

  /// It begins with the world as it is, of which it need not tell: a new subscriber gets a snapshot.
  WorldChannel(WorldScope view, const WorldSource& source, WorldEncode encode);

  /// Of each tick, before `collect`.
  void note(const WorldModel& model);
  /// Tells the tick that has run, if that is due.
  void collect(const WorldSource& source);

  const WorldScope& view() const { return view_; }
  WorldEncode encode() const { return encode_; }
  /// Names this channel, so that a place in another one is not taken for one in this. Never 0.
  std::uint64_t id() const { return id_; }
  /// Up to this tick all is in the chunks.
  match::Tick last_tick() const { return last_tick_; }
  /// Whether a subscriber that has been told all up to that tick can go on from there.
  bool covers(match::Tick tick) const { return tick >= forgotten_tick_ && tick <= last_tick_; }
  /// Calls `visit(chunk)` for those after a tick that is covered, by tick, until it says false.
  template <typename Visit>
  void visit_after(match::Tick tick, const Visit& visit) const {
    auto chunk = std::ranges::upper_bound(chunks_, tick, {}, &Chunk::tick);
    while (chunk != chunks_.end() && visit(*chunk)) ++chunk;
  }
  /// So much waits for a subscriber that has been told up to that tick that a match which can wait should.
  bool is_far_behind(match::Tick tick) const {
    return !chunks_.empty() && chunks_.back().tick > tick + kept_ticks_ / 2;
  }

  /// What there is in view, as it has been told by `last_tick`.
  std::shared_ptr<const Chunk> snapshot();

  std::size_t bytes_max() const { return view_.delay_ticks == 0 ? kBytesMax : kDelayedBytesMax; }

 private:
  /// An object as its subscribers have it; after `since` it goes on by its motion.
  struct Told {
    match::ObjectId id = 0;  ///< 0: none in this slot.
    std::uint32_t kind = 0;
    std::uint32_t look = 0;  ///< Of its ModelObject, when that number was found.
    match::Tick since = 0;
    collision::Point position;
    collision::Motion motion;
    std::uint32_t hit_points = 0;
    std::uint32_t state = 0;
    std::uint64_t tag = 0;
    bool is_late = false;  ///< There is news of it that waits.
    collision::Point position_at(match::Tick tick) const { return moved_on(position, motion, tick - since); }
    collision::Motion motion_at(match::Tick tick) const { return sped_up(motion, tick - since); }
  };
  enum Mark : std::uint8_t { kChanged = 1, kTeleported = 2, kWaits = 4 };

  void begin(const WorldSource& source);
  bool has_to_scan() const { return window_.is_bounded() || !view_.sees_all; }
  bool is_in_view(const WorldModel& model, collision::ObjectSlot slot, SightScan& scan) const;
  std::optional<collision::Point> find_followed(const WorldSource& source, SightScan& scan) const;
  void mark(collision::ObjectSlot slot, std::uint8_t marks);
  void collect_slots(const WorldSource& source);
  void find_slots(const WorldModel& model, SightScan& scan);
  void leave_what_waits(const WorldModel& model, SightScan& scan);
  void let_wait(collision::ObjectSlot slot);
  std::optional<collision::ExitReason> told_reason(const WorldModel& model,
                                                   collision::ExitReason reason) const;
  void visit(const WorldModel& model, collision::ObjectSlot slot, SightScan& scan);
  void appear(const WorldModel& model, const ModelObject& object, Told& told);
  void compare(const WorldModel& model, const ModelObject& object, Told& told, bool is_teleport);
  void place(const ModelObject& object, Told& told, match::Tick tick, bool is_teleport);
  void forget_kinds_if_crowded();
  void tell_common(const WorldSource& source);
  bool is_news() const { return !next_.is_empty() || next_.waiting != told_waiting_; }
  void keep();
  void append(const Told& told, WorldTick& whole) const;

  const WorldScope view_;
  const match::Viewer viewer_;
  const WorldEncode encode_;
  const std::uint64_t id_;
  const match::Tick kept_ticks_;
  const match::Tick idle_ticks_;  ///< So often it tells at least that nothing has changed.
  WorldWindow window_;
  WorldBudget budget_;
  WorldKinds kinds_;
  std::vector<Told> told_;  ///< By slot.
  std::size_t told_count_ = 0;
  std::vector<Told> gone_;           ///< Since `last_tick_`, which still had them.
  std::vector<std::uint8_t> marks_;  ///< By slot: of changes that were not told yet.
  std::vector<collision::ObjectSlot> marked_;
  std::vector<collision::ObjectSlot> slots_;  ///< To be looked at, by id. For its memory only.
  WorldTick next_;                            ///< The same; but for departures that wait.
  std::vector<WorldCandidate> candidates_;    ///< For its memory only.
  std::uint32_t waiting_ = 0;                 ///< Are in view and have not appeared.
  std::uint32_t told_waiting_ = 0;
  bool is_all_due_ = false;  ///< Nothing may wait: numbers of kinds that were told are void.
  std::vector<WorldTick::Participant> told_players_;
  collision::Point told_playfield_ = {};
  match::Tick last_tick_;
  match::Tick forgotten_tick_;
  bool are_moving_ = false;  ///< In the last tick that was told others moved something.
  std::deque<Chunk> chunks_;
  std::size_t bytes_ = 0;
  std::shared_ptr<const Chunk> snapshot_;  ///< The last that was made.
};

}  // namespace sweepd::runtime
