// SPDX-License-Identifier: MIT
#include "match/history/life_table.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::match {

LifeIndex LifeTable::begin(ObjectId id, Tick tick, const State& state, bool is_single_use) {
  if (free_lives_.empty()) {
    free_lives_.push_back(static_cast<LifeIndex>(lives_.size()));
    base::append_tightly(lives_);
  }
  const LifeIndex index = free_lives_.back();
  free_lives_.pop_back();
  const LifeIndex previous = last_lives_.find(id);
  if (previous != kNone) last_lives_.erase(id);
  last_lives_.insert(id, index);
  lives_[index] = {.born = tick,
                   .id = id,
                   .previous = previous,
                   .owner = state.owner,
                   .parts = parts_.add(state.parts),
                   .is_disabled = state.is_disabled,
                   .is_single_use = is_single_use};
  return index;
}

void LifeTable::alter(LifeIndex index, Tick tick, const State& state) {
  Life& life = lives_[index];
  const bool has_same_parts = std::ranges::equal(parts_.parts(life.parts), state.parts);
  if (has_same_parts && life.owner == state.owner && life.is_disabled == state.is_disabled) return;
  add_past(life, {.until = tick, .owner = life.owner, .parts = life.parts, .is_disabled = life.is_disabled});
  life.owner = state.owner;
  life.is_disabled = state.is_disabled;
  life.parts = parts_.add(state.parts);
  alterations_.push_back({tick, index});
}

void LifeTable::end(LifeIndex life, Tick tick) {
  lives_[life].died = tick;
  dead_.push_back(life);
}

void LifeTable::forget_before(Tick oldest) {
  for (; !alterations_.empty() && alterations_.front().tick <= oldest; alterations_.pop_front()) {
    remove_first_past(lives_[alterations_.front().life]);
  }
  for (; !dead_.empty() && lives_[dead_.front()].died <= oldest; dead_.pop_front()) remove(dead_.front());
}

/// A life that is not kept any more may have left its place to another: of another id, or of this one, but
/// later.
LifeIndex LifeTable::previous(LifeIndex index) const {
  const Life& life = lives_[index];
  if (life.previous == kNone) return kNone;
  const Life& before = lives_[life.previous];
  return before.id == life.id && before.died <= life.born ? life.previous : kNone;
}

LifeIndex LifeTable::find(ObjectId id, Tick tick) const {
  LifeIndex index = last_lives_.find(id);
  while (index != kNone && lives_[index].born > tick) index = previous(index);
  return index != kNone && tick < lives_[index].died ? index : kNone;
}

LifeTable::State LifeTable::state_at(LifeIndex index, Tick tick) const {
  const Life& life = lives_[index];
  SWEEPD_ASSERT(life.is_at(tick));
  if (life.last_past == kNone || pasts_[life.last_past].until <= tick) return state_of(life);
  const Past* past = &pasts_[pasts_[life.last_past].next];
  while (past->until <= tick) past = &pasts_[past->next];
  return state_of(*past);
}

std::vector<LifeTable::Dated> LifeTable::versions_of(LifeIndex index) const {
  const Life& life = lives_[index];
  std::vector<Dated> versions;
  Tick since = life.born;
  for (std::uint32_t at = life.last_past; at != kNone;) {
    const Past& past = pasts_[at = pasts_[at].next];
    versions.push_back({since, state_of(past)});
    since = past.until;
    if (at == life.last_past) break;
  }
  versions.push_back({since, state_of(life)});
  return versions;
}

void LifeTable::add_past(Life& life, const Past& past) {
  if (free_pasts_.empty()) {
    free_pasts_.push_back(static_cast<std::uint32_t>(pasts_.size()));
    base::append_tightly(pasts_);
  }
  const std::uint32_t index = free_pasts_.back();
  free_pasts_.pop_back();
  pasts_[index] = past;
  if (life.last_past == kNone) {
    pasts_[index].next = index;
  } else {
    pasts_[index].next = std::exchange(pasts_[life.last_past].next, index);
  }
  life.last_past = index;
}

void LifeTable::remove_first_past(Life& life) {
  SWEEPD_ASSERT(life.last_past != kNone);
  const std::uint32_t first = pasts_[life.last_past].next;
  if (first == life.last_past) {
    life.last_past = kNone;
  } else {
    pasts_[life.last_past].next = pasts_[first].next;
  }
  parts_.release(pasts_[first].parts);
  free_pasts_.push_back(first);
}

void LifeTable::remove(LifeIndex index) {
  Life& life = lives_[index];
  SWEEPD_ASSERT(life.last_past == kNone);  // It was altered before it died, and that is forgotten first.
  parts_.release(life.parts);
  if (last_lives_.find(life.id) == index) last_lives_.erase(life.id);
  life = {};
  free_lives_.push_back(index);
}

std::size_t LifeTable::bytes() const {
  return lives_.capacity() * sizeof(Life) + pasts_.capacity() * sizeof(Past) + parts_.bytes() +
         alterations_.size() * sizeof(Alteration) + dead_.size() * sizeof(LifeIndex);
}

}  // namespace sweepd::match
