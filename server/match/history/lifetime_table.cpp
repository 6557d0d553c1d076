// SPDX-License-Identifier: MIT
#include "match/history/lifetime_table.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::match {
namespace {

constexpr std::size_t kLivesPerRing = 2;

std::uint8_t small(OwnerId owner) {
  const auto small = static_cast<std::uint8_t>(owner);
  SWEEPD_ASSERT(small == owner);
  return small;
}

}  // namespace

LifetimeIndex LifetimeTable::begin(ObjectId id, Tick tick, const State& state, bool is_single_use) {
  if (free_lives_.empty()) {
    free_lives_.push_back(static_cast<LifetimeIndex>(lives_.size()));
    lives_.emplace_back();
  }
  const LifetimeIndex index = free_lives_.back();
  free_lives_.pop_back();
  lives_[index] = {.id = id,
                   .parts = parts_.add(state.parts),
                   .born = tick,
                   .owner = small(state.owner),
                   .is_disabled = state.is_disabled,
                   .is_single_use = is_single_use};
  if (lives_.size() > kLivesPerRing * newest_.size()) grow_newest();
  link(index);
  return index;
}

void LifetimeTable::link(LifetimeIndex index) {
  LifetimeIndex& newest = newest_near(lives_[index].id);
  lives_[index].next = newest == kNone ? index : std::exchange(lives_[newest].next, index);
  newest = index;
}

void LifetimeTable::unlink(LifetimeIndex index) {
  LifetimeIndex& newest = newest_near(lives_[index].id);
  LifetimeIndex before = newest;
  while (lives_[before].next != index) before = lives_[before].next;
  if (before == index) {
    newest = kNone;
  } else {
    lives_[before].next = lives_[index].next;
    if (newest == index) newest = before;
  }
}

/// Those of a ring go on in their order.
void LifetimeTable::grow_newest() {
  const std::vector<LifetimeIndex> old(std::move(newest_));
  newest_.assign(std::max<std::size_t>(16, 2 * old.size()), kNone);
  for (const LifetimeIndex newest : old) {
    if (newest == kNone) continue;
    const LifetimeIndex oldest = lives_[newest].next;
    for (LifetimeIndex at = oldest;;) {
      const LifetimeIndex next = lives_[at].next;
      link(at);
      if (at == newest) break;
      at = next;
    }
  }
}

LifetimeTable::Changes& LifetimeTable::changes_of(LifetimeIndex life) {
  if (!lives_[life].has_changes) changes_.add(life, {});
  lives_[life].has_changes = true;
  return *changes_.find(life);
}

LifetimeTable::Changes LifetimeTable::find_changes(LifetimeIndex life) const {
  return lives_[life].has_changes ? *changes_.find(life) : Changes{};
}

Tick LifetimeTable::teleported(LifetimeIndex life) const { return find_changes(life).teleported; }

void LifetimeTable::alter(LifetimeIndex index, Tick tick, const State& state) {
  Lifetime& life = lives_[index];
  const bool has_same_parts = std::ranges::equal(parts_.parts(life.parts), state.parts);
  if (has_same_parts && life.owner == state.owner && life.is_disabled == state.is_disabled) return;
  add_past(index, {.until = tick, .owner = life.owner, .parts = life.parts, .is_disabled = life.is_disabled});
  life.owner = small(state.owner);
  life.is_disabled = state.is_disabled;
  life.parts = parts_.add(state.parts);
  alterations_.push_back({tick, index});
}

void LifetimeTable::end(LifetimeIndex life, Tick tick) {
  lives_[life].died = tick;
  dead_.push_back(life);
}

void LifetimeTable::forget_before(Tick oldest) {
  for (; !alterations_.empty() && alterations_.front().tick <= oldest; alterations_.pop_front()) {
    remove_first_past(alterations_.front().life);
  }
  for (; !dead_.empty() && lives_[dead_.front()].died <= oldest; dead_.pop_front()) remove(dead_.front());
}

/// Of the lives of an id, the oldest that matches(life).
template <typename Matches>
LifetimeIndex LifetimeTable::find_oldest(ObjectId id, const Matches& matches) const {
  if (newest_.empty()) return kNone;
  const LifetimeIndex newest = newest_[base::mix_secretly(id) & (newest_.size() - 1)];
  for (LifetimeIndex at = newest; at != kNone;) {
    at = lives_[at].next;
    if (lives_[at].id == id && matches(at)) return at;
    if (at == newest) break;
  }
  return kNone;
}

LifetimeIndex LifetimeTable::find_last(ObjectId id) const {
  LifetimeIndex last = kNone;
  find_oldest(id, [&last](LifetimeIndex life) {
    last = life;
    return false;
  });
  return last;
}

LifetimeIndex LifetimeTable::find(ObjectId id, Tick tick) const {
  if (newest_.empty()) return kNone;
  // Mostly it is asked how things are, or were just now: of an id that is used again and again, the last
  // life.
  const LifetimeIndex newest = newest_[base::mix_secretly(id) & (newest_.size() - 1)];
  if (newest != kNone && lives_[newest].id == id && lives_[newest].is_at(tick)) return newest;
  return find_oldest(id, [&](LifetimeIndex life) { return lives_[life].is_at(tick); });
}

bool LifetimeTable::has(ObjectId id, Tick born) const {
  return find_oldest(id, [&](LifetimeIndex life) { return lives_[life].born == born; }) != kNone;
}

LifetimeTable::State LifetimeTable::state_at(LifetimeIndex index, Tick tick) const {
  const Lifetime& life = lives_[index];
  SWEEPD_ASSERT(life.is_at(tick));
  const std::uint32_t last = find_changes(index).last_past;
  if (last == kNone || pasts_[last].until <= tick) return state_of(life);
  const Past* past = &pasts_[pasts_[last].next];
  while (past->until <= tick) past = &pasts_[past->next];
  return state_of(*past);
}

std::vector<LifetimeTable::Dated> LifetimeTable::versions_of(LifetimeIndex index) const {
  const Lifetime& life = lives_[index];
  const std::uint32_t last = find_changes(index).last_past;
  std::vector<Dated> versions;
  Tick since = life.born;
  for (std::uint32_t at = last; at != kNone;) {
    const Past& past = pasts_[at = pasts_[at].next];
    versions.push_back({since, state_of(past)});
    since = past.until;
    if (at == last) break;
  }
  versions.push_back({since, state_of(life)});
  return versions;
}

void LifetimeTable::add_past(LifetimeIndex life, const Past& past) {
  if (free_pasts_.empty()) {
    free_pasts_.push_back(static_cast<std::uint32_t>(pasts_.size()));
    base::append_tightly(pasts_);
  }
  const std::uint32_t index = free_pasts_.back();
  free_pasts_.pop_back();
  pasts_[index] = past;
  std::uint32_t& last = changes_of(life).last_past;
  pasts_[index].next = last == kNone ? index : std::exchange(pasts_[last].next, index);
  last = index;
}

void LifetimeTable::remove_first_past(LifetimeIndex life) {
  std::uint32_t& last = changes_of(life).last_past;
  SWEEPD_ASSERT(last != kNone);
  const std::uint32_t first = pasts_[last].next;
  if (first == last) {
    last = kNone;
  } else {
    pasts_[last].next = pasts_[first].next;
  }
  parts_.release(pasts_[first].parts);
  free_pasts_.push_back(first);
}

void LifetimeTable::remove(LifetimeIndex index) {
  Lifetime& life = lives_[index];
  // It was altered before it died, and that is forgotten first.
  SWEEPD_ASSERT(find_changes(index).last_past == kNone);
  if (life.has_changes) changes_.erase(index);
  if (template_of(index) != 0) templates_.erase(index);
  parts_.release(life.parts);
  unlink(index);
  life = {};
  free_lives_.push_back(index);
}

std::size_t LifetimeTable::bytes() const {
  return lives_.size() * sizeof(Lifetime) + pasts_.capacity() * sizeof(Past) + parts_.bytes() +
         alterations_.size() * sizeof(Alteration) + dead_.size() * sizeof(LifetimeIndex) +
         newest_.capacity() * sizeof(LifetimeIndex) +
         changes_.size() * (sizeof(Changes) + 2 * sizeof(LifetimeIndex)) +
         templates_.size() * 4 * sizeof(LifetimeIndex);
}

}  // namespace sweepd::match
