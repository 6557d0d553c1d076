// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_channel.h"

#include <algorithm>
#include <utility>

#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

using collision::ObjectSlot;

std::uint64_t random_id() {
  std::uint64_t id = 0;
  while (id == 0) fill_with_random_bytes(&id, sizeof id);
  return id;
}

std::uint32_t state_of(const ModelObject& object) {
  return (object.is_disabled ? WorldTick::kDisabled : 0u) | (object.is_frozen ? WorldTick::kFrozen : 0u);
}

/// The nearest multiple of `step`, in steps.
std::int64_t in_steps(std::int64_t value, std::int64_t step) {
  const std::int64_t half = step / 2;
  return (value >= 0 ? value + half : value - half) / step;
}

collision::Point at(std::int64_t x, std::int64_t y) {
  return {collision::clamp_subunits(x), collision::clamp_subunits(y)};
}

// What rows take, about.
constexpr std::int64_t kAppearanceBytes = 20;
constexpr std::int64_t kPartBytes = 12;
constexpr std::int64_t kChangeBytes = 6;
constexpr std::int64_t kTickBytes = 8;

/// With its kind, which may be told already.
std::int64_t appearance_bytes(const WorldModel& model, const ModelObject& object) {
  return kAppearanceBytes + kPartBytes * static_cast<std::int64_t>(model.parts_of(object).size());
}

}  // namespace

WorldChannel::WorldChannel(WorldScope view, const WorldSource& source, WorldEncode encode)
    : view_(std::move(view)),
      viewer_(view_.viewer()),
      encode_(encode),
      id_(random_id()),
      kept_ticks_(std::max<match::Tick>(source.match.config().retained_ticks, kTicksMin) + view_.delay_ticks),
      idle_ticks_(std::max<match::Tick>(source.match.config().tick_rate_hz, view_.interest.every_ticks)),
      window_(view_.interest),
      budget_(view_.interest.bytes_per_second, source.match.config().tick_rate_hz),
      last_tick_(source.model.tick()),
      forgotten_tick_(source.model.tick()) {
  begin(source);
}

void WorldChannel::begin(const WorldSource& source) {
  const std::span<const ModelObject> objects = source.model.objects();
  for (ObjectSlot slot = 0; slot < objects.size(); ++slot)
    if (objects[slot].id != 0) mark(slot, kChanged);
  told_.resize(objects.size());
  collect_slots(source);
  tell_common(source);
  told_waiting_ = waiting_;
  next_ = {};
}

void WorldChannel::mark(ObjectSlot slot, std::uint8_t marks) {
  if (marks_.size() <= slot) marks_.resize(slot + std::size_t{1});
  if (marks_[slot] == 0) marked_.push_back(slot);
  marks_[slot] |= marks;
}

void WorldChannel::note(const WorldModel& model) {
  if (told_.size() < model.objects().size()) told_.resize(model.objects().size());
  for (const WorldModel::Departure& departure : model.departures()) {
    Told& told = told_[departure.slot];
    if (departure.slot < marks_.size()) marks_[departure.slot] &= kChanged;
    if (told.id == 0) continue;
    next_.departures.push_back({told.id, told_reason(model, departure.reason)});
    gone_.push_back(std::exchange(told, {}));
    --told_count_;
  }
  for (const WorldModel::Change& change : model.changes())
    mark(change.slot, change.is_teleport ? kChanged | kTeleported : kChanged);
}

/// Between two ticks that it is told of an object may have become hidden: then no viewer learns how it ended.
std::optional<collision::ExitReason> WorldChannel::told_reason(const WorldModel& model,
                                                               collision::ExitReason reason) const {
  const bool was_seen_to_the_end = view_.sees_all || model.tick() == last_tick_ + 1;
  return was_seen_to_the_end ? std::optional(reason) : std::nullopt;
}

void WorldChannel::collect(const WorldSource& source) {
  const match::Tick tick = source.model.tick();
  if (tick % view_.interest.every_ticks != 0) return;
  budget_.earn(tick - last_tick_);
  forget_kinds_if_crowded();
  collect_slots(source);
  tell_common(source);
  gone_.clear();
  last_tick_ = tick;
  next_.tick = tick;
  next_.waiting = waiting_;
  next_.step = view_.interest.step;
  std::ranges::sort(next_.departures, {}, &WorldTick::Departure::id);
  const match::Tick last_told = chunks_.empty() ? forgotten_tick_ : chunks_.back().tick;
  // What has come to rest is told so by the next tick, and not a second later.
  if (!is_news() && !are_moving_ && tick - last_told < idle_ticks_) return;
  are_moving_ = !next_.moves.empty();
  keep();
  next_ = {};
}

void WorldChannel::collect_slots(const WorldSource& source) {
  SightScan scan(source.eyes, viewer_);
  window_.move(find_followed(source, scan));
  find_slots(source.model, scan);
  marked_.clear();  // Those that wait are marked again.
  if (budget_.is_bounded()) leave_what_waits(source.model, scan);
  for (const ObjectSlot slot : slots_) visit(source.model, slot, scan);
  for (const ObjectSlot slot : slots_)
    if (slot < marks_.size()) marks_[slot] = 0;
}

bool WorldChannel::is_in_view(const WorldModel& model, ObjectSlot slot, SightScan& scan) const {
  const ModelObject& object = model.objects()[slot];
  const WorldInterest& interest = view_.interest;
  if (object.id == 0 || (object.layers & interest.layers) == 0) return false;
  if (interest.has_owners && !std::ranges::binary_search(interest.owners, object.owner)) return false;
  if (!has_to_scan()) return true;
  const collision::Point position = object.position_at(model.tick());
  if (!window_.shows(collision::placed(object.bounds, position), told_[slot].id != 0)) return false;
  return view_.sees_all || scan.sees(object, model.parts_of(object), position);
}

std::optional<collision::Point> WorldChannel::find_followed(const WorldSource& source,
                                                            SightScan& scan) const {
  const match::ObjectId id = view_.interest.follow;
  if (id == 0 || !source.match.find_object(id)) return std::nullopt;
  const ModelObject& object = source.model.objects()[source.match.slot_of(id)];
  const collision::Point position = object.position_at(source.model.tick());
  // Where a region is tells where the object is that it follows.
  const bool is_seen = view_.sees_all || scan.sees(object, source.model.parts_of(object), position);
  return is_seen ? std::optional(position) : std::nullopt;
}

/// What has changed and, where the view depends on where things are, what comes into view or leaves it.
void WorldChannel::find_slots(const WorldModel& model, SightScan& scan) {
  slots_ = marked_;
  const std::span<const ModelObject> objects = model.objects();
  for (ObjectSlot slot = 0; has_to_scan() && slot < objects.size(); ++slot) {
    if (slot < marks_.size() && marks_[slot] != 0) continue;
    if (is_in_view(model, slot, scan) != (told_[slot].id != 0)) slots_.push_back(slot);
  }
  const auto id_of = [&](ObjectSlot slot) { return told_[slot].id != 0 ? told_[slot].id : objects[slot].id; };
  std::ranges::sort(slots_, {}, id_of);
}

/// Takes from `slots_` what there is no room for. What departs, and what is followed, never waits.
void WorldChannel::leave_what_waits(const WorldModel& model, SightScan& scan) {
  waiting_ = 0;
  if (std::exchange(is_all_due_, false)) return;
  candidates_.clear();
  for (const ObjectSlot slot : slots_) {
    if (!is_in_view(model, slot, scan)) continue;
    const ModelObject& object = model.objects()[slot];
    candidates_.push_back({.slot = slot,
                           .id = object.id,
                           .position = object.position_at(model.tick()),
                           .since = object.since,
                           .bytes = told_[slot].id == 0 ? appearance_bytes(model, object) : kChangeBytes,
                           .is_first = object.id == view_.interest.follow});
  }
  const std::size_t count = most_urgent(candidates_, window_.focus(), budget_.bytes_left() - kTickBytes);
  for (std::size_t i = count; i < candidates_.size(); ++i) let_wait(candidates_[i].slot);
  std::erase_if(slots_,
                [this](ObjectSlot slot) { return slot < marks_.size() && (marks_[slot] & kWaits) != 0; });
  for (std::size_t i = count; i < candidates_.size(); ++i)
    marks_[candidates_[i].slot] &= kChanged | kTeleported;
  std::ranges::sort(next_.late);
}

void WorldChannel::let_wait(ObjectSlot slot) {
  if (marks_.size() <= slot) marks_.resize(slot + std::size_t{1});
  marks_[slot] |= kChanged | kWaits;
  marked_.push_back(slot);
  Told& told = told_[slot];
  if (told.id == 0) {
    ++waiting_;
  } else if (!std::exchange(told.is_late, true)) {
    next_.late.push_back(told.id);
  }
}

void WorldChannel::visit(const WorldModel& model, ObjectSlot slot, SightScan& scan) {
  const ModelObject& object = model.objects()[slot];
  Told& told = told_[slot];
  if (!is_in_view(model, slot, scan)) {
    if (told.id == 0) return;
    next_.departures.push_back({told.id, std::nullopt});
    told = {};
    --told_count_;
  } else if (told.id == 0) {
    appear(model, object, told);
  } else {
    compare(model, object, told, slot < marks_.size() && (marks_[slot] & kTeleported) != 0);
  }
}

void WorldChannel::appear(const WorldModel& model, const ModelObject& object, Told& told) {
  const match::Tick tick = model.tick();
  const std::int64_t step = view_.interest.step;
  const collision::Point position = object.position_at(tick);
  const WorldTick::Place place{in_steps(position.x, step), in_steps(position.y, step)};
  told = {.id = object.id,
          .kind = kinds_.number_of(object.owner, object.template_number, model.parts_of(object), next_),
          .look = object.look,
          .since = tick,
          .position = at(place.x * step, place.y * step),
          .motion = object.motion_at(tick),
          .hit_points = object.hit_points,
          .state = state_of(object),
          .tag = object.tag};
  ++told_count_;
  next_.appearances.push_back(
      {told.id, told.kind, place, told.motion, told.tag, told.hit_points, told.state});
}

void WorldChannel::compare(const WorldModel& model, const ModelObject& object, Told& told, bool is_teleport) {
  const match::Tick tick = model.tick();
  if (std::exchange(told.is_late, false)) next_.prompt.push_back(told.id);
  place(object, told, tick, is_teleport);
  if (const collision::Motion motion = object.motion_at(tick); motion != told.motion_at(tick)) {
    told.position = told.position_at(tick);
    told.motion = motion;
    told.since = tick;
    next_.motions.push_back({told.id, motion});
  }
  std::uint32_t kind = told.kind;
  if (std::exchange(told.look, object.look) != object.look)
    kind = kinds_.number_of(object.owner, object.template_number, model.parts_of(object), next_);
  const auto tell = [&](std::uint32_t& known, std::uint32_t now, std::vector<WorldTick::Number>& rows) {
    if (std::exchange(known, now) != now) rows.push_back({told.id, now});
  };
  tell(told.kind, kind, next_.recasts);
  tell(told.hit_points, object.hit_points, next_.hit_points);
  tell(told.state, state_of(object), next_.states);
}

void WorldChannel::place(const ModelObject& object, Told& told, match::Tick tick, bool is_teleport) {
  const std::int64_t step = view_.interest.step;
  const collision::Point is = object.position_at(tick);
  const collision::Point expected = told.position_at(tick);
  const WorldTick::Place difference{in_steps(std::int64_t{is.x} - expected.x, step),
                                    in_steps(std::int64_t{is.y} - expected.y, step)};
  if (difference.x == 0 && difference.y == 0) return;
  told.motion = told.motion_at(tick);
  told.position = at(expected.x + difference.x * step, expected.y + difference.y * step);
  told.since = tick;
  (is_teleport ? next_.teleports : next_.moves).push_back({told.id, difference});
}

void WorldChannel::forget_kinds_if_crowded() {
  if (!kinds_.is_crowded(told_count_)) return;
  kinds_.forget(next_);
  is_all_due_ = budget_.is_bounded();
  for (ObjectSlot slot = 0; slot < told_.size(); ++slot) {
    if (told_[slot].id == 0) continue;
    told_[slot].kind = 0;
    told_[slot].look = 0;
    mark(slot, kChanged);
  }
}

void WorldChannel::tell_common(const WorldSource& source) {
  if (told_players_ != source.roster.players) next_.participants = told_players_ = source.roster.players;
  if (told_playfield_ != source.match.playfield_origin())
    next_.playfield = told_playfield_ = source.match.playfield_origin();
}

void WorldChannel::keep() {
  told_waiting_ = next_.waiting;
  next_.is_next = !chunks_.empty() && chunks_.back().tick + 1 == next_.tick;
  chunks_.push_back({next_.tick, encode_(next_)});
  bytes_ += chunks_.back().bytes.size();
  budget_.spend(chunks_.back().bytes.size());
  while (chunks_.size() > 1 &&
         (bytes_ > bytes_max() || chunks_.front().tick + kept_ticks_ < chunks_.back().tick)) {
    forgotten_tick_ = chunks_.front().tick;
    bytes_ -= chunks_.front().bytes.size();
    chunks_.pop_front();
  }
}

std::shared_ptr<const WorldChannel::Chunk> WorldChannel::snapshot() {
  if (snapshot_ && snapshot_->tick == last_tick_) return snapshot_;
  WorldTick whole{.tick = last_tick_, .feed_id = id_};
  std::vector<std::uint32_t> kinds;
  for (const std::vector<Told>* list : {&told_, &gone_})
    for (const Told& told : *list)
      if (told.id != 0) kinds.push_back(told.kind);
  kinds_.tell(std::move(kinds), whole);
  for (const Told& told : told_) append(told, whole);
  for (const Told& told : gone_) append(told, whole);
  std::ranges::sort(whole.appearances, {}, &WorldTick::Appearance::id);
  std::ranges::sort(whole.late);
  whole.waiting = told_waiting_;
  whole.participants = told_players_;
  if (told_playfield_ != collision::Point{}) whole.playfield = told_playfield_;
  snapshot_ = std::make_shared<const Chunk>(Chunk{last_tick_, encode_(whole)});
  return snapshot_;
}

void WorldChannel::append(const Told& told, WorldTick& whole) const {
  if (told.id == 0) return;
  const collision::Point position = told.position_at(last_tick_);
  whole.appearances.push_back({told.id,
                               told.kind,
                               {position.x, position.y},
                               told.motion_at(last_tick_),
                               told.tag,
                               told.hit_points,
                               told.state});
  if (told.is_late) whole.late.push_back(told.id);
}

}  // namespace sweepd::runtime
