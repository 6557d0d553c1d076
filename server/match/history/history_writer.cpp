// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>
#include <utility>

#include "collision/value_codec.h"
#include "match/history/history.h"
#include "match/history/history_traits.h"
#include "match/history/track_codec.h"

namespace sweepd::match {

/// Lives in an order of their own, which does not tell where the table has them: first those that are over,
/// by the tick in which they ended, so that of one id the earlier comes first; then the living, by id. What
/// the world says of these is not said again.
class History::Writer {
 public:
  Writer(const History& history, base::ByteWriter& writer)
      : history_(history),
        writer_(writer),
        positions_(history.trajectories_.positions()),
        velocities_(history.trajectories_.velocities()),
        accelerations_(history.trajectories_.accelerations()) {}

  void write_lives();
  void write_ended();

 private:
  const LifetimeTable& lives() const { return history_.lives_; }
  Tick tick() const { return history_.tick_; }
  std::uint32_t traits_of(LifetimeIndex index, std::size_t versions, const LifetimeTracks& tracks) const;
  void write_life(LifetimeIndex index);
  void write_states(const LifetimeTable::Lifetime& life, const std::vector<LifetimeTable::Dated>& versions);
  void write_state(const LifetimeTable::State& state);
  void write_tracks(const TrackFrame& frame, const Trajectory& trajectory, const LifetimeTracks& tracks);

  const History& history_;
  base::ByteWriter& writer_;
  Tracks positions_;
  Tracks velocities_;
  Tracks accelerations_;
  collision::PartListWriter parts_;
};

void History::Writer::write_lives() {
  std::vector<LifetimeIndex> order;
  for (LifetimeIndex index = 0; index < lives().size(); ++index) {
    const LifetimeTable::Lifetime& life = lives()[index];
    // What came and went in one tick was at no tick's end: it cannot be asked for.
    if (life.id != 0 && life.born < life.died) order.push_back(index);
  }
  std::ranges::sort(order, {}, [this](LifetimeIndex index) {
    return std::pair(Tick{lives()[index].died}, lives()[index].id);
  });
  const auto is_living = [this](LifetimeIndex index) { return lives()[index].died == collision::kForever; };
  const auto dead = std::ranges::find_if(order, is_living) - order.begin();
  writer_.number(static_cast<std::uint64_t>(dead));
  for (const LifetimeIndex index : order) write_life(index);
}

std::uint32_t History::Writer::traits_of(LifetimeIndex index, std::size_t versions,
                                         const LifetimeTracks& tracks) const {
  const LifetimeTable::Lifetime& life = lives()[index];
  const bool is_dead = life.died != collision::kForever;
  std::uint32_t traits = 0;
  if (versions > 1) traits |= LifeTrait::kWasAltered;
  if (lives().teleported(index) != 0) traits |= LifeTrait::kWasTeleported;
  if (!tracks.positions.empty()) traits |= LifeTrait::kHasPositions;
  if (!tracks.velocities.empty()) traits |= LifeTrait::kHasMotions;
  if (is_dead && life.is_single_use) traits |= LifeTrait::kIsSingleUse;
  if (is_dead && life.is_used_up) traits |= LifeTrait::kIsUsedUp;
  if (lives().template_of(index) != 0) traits |= LifeTrait::kHasTemplate;
  return traits;
}

/// Names every member, so that a new one does not compile until it is written, or found to need no writing.
/// Which life came before is found again by the id.
void History::Writer::write_life(LifetimeIndex index) {
  const auto& [id, next, parts, born, died, owner, is_disabled, is_single_use, is_used_up, has_changes] =
      lives()[index];
  const bool is_dead = died != collision::kForever;
  const Tick start = std::max<Tick>(born, history_.oldest());
  const Trajectory trajectory = history_.trajectories_.at(index, start);
  const LifetimeTracks tracks{positions_.of(index), velocities_.of(index), accelerations_.of(index)};
  const std::vector<LifetimeTable::Dated> versions = lives().versions_of(index);
  std::uint32_t traits = traits_of(index, versions.size(), tracks);
  const bool is_as_expected =
      !is_dead && trajectory == rewound(history_.trajectories_.at(index, tick()), tick() - start);
  if (!is_as_expected) traits |= LifeTrait::kHasCourse;
  writer_.number(traits);
  writer_.number(tick() - born);
  if (is_dead) {
    writer_.number(tick() - died);
    writer_.number(id);
  }
  const Tick teleported = lives().teleported(index);
  if (teleported != 0) writer_.number(tick() - teleported);
  if ((traits & LifeTrait::kHasTemplate) != 0) writer_.number(lives().template_of(index));
  write_states(lives()[index], versions);
  if (!is_as_expected) {
    collision::write(writer_, trajectory.position);
    collision::write(writer_, trajectory.motion);
  }
  write_tracks({start, std::min<Tick>(died, tick()), {}}, trajectory, tracks);
}

void History::Writer::write_states(const LifetimeTable::Lifetime& life,
                                   const std::vector<LifetimeTable::Dated>& versions) {
  if (versions.size() > 1) writer_.number(versions.size());
  for (std::size_t i = 0; i + 1 < versions.size(); ++i) {
    write_state(versions[i].state);
    writer_.number(tick() - versions[i + 1].since);
  }
  if (life.died != collision::kForever) write_state(versions.back().state);
}

void History::Writer::write_state(const LifetimeTable::State& state) {
  const auto& [owner, is_disabled, parts] = state;
  writer_.number(std::uint64_t{owner} << 1 | (is_disabled ? 1u : 0u));
  parts_.write(writer_, parts);
}

void History::Writer::write_tracks(const TrackFrame& frame, const Trajectory& trajectory,
                                   const LifetimeTracks& tracks) {
  const auto& [positions, velocities, accelerations] = tracks;
  if (!positions.empty()) write_track(writer_, positions, {frame.start, frame.last, trajectory.position});
  if (velocities.empty()) return;
  write_track(writer_, velocities, {frame.start, frame.last, trajectory.motion.velocity});
  write_track(writer_, accelerations, {frame.start, frame.last, trajectory.motion.acceleration});
}

/// Those that ended in one tick by key: in which order they were noted means nothing.
void History::Writer::write_ended() {
  std::vector<Ended> ended(history_.ended_.begin(), history_.ended_.end());
  std::ranges::sort(ended, {}, [](const Ended& end) {
    return std::tuple(Tick{end.tick}, end.encounter().key, Tick{end.since_tick});
  });
  writer_.number(ended.size());
  for (const auto& [object_a, object_b, layer_a, layer_b, since_tick, end] : ended) {
    writer_.number(tick() - end);
    writer_.number(end - since_tick);
    writer_.number(object_a);
    writer_.number(object_b);
    writer_.byte(layer_a);
    writer_.byte(layer_b);
  }
}

/// Names every member: a new one does not compile until it is saved, or found to need no saving.
void History::save(base::ByteWriter& writer) const {
  const auto& [ticks, tick, lives, trajectories, templates, life_by_slot, ended] = *this;
  writer.number(ticks);
  Writer parts(*this, writer);
  parts.write_lives();
  parts.write_ended();
}

}  // namespace sweepd::match
