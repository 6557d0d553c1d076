// SPDX-License-Identifier: MIT
#include "match/history/life_table.h"

#include <algorithm>

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
  const std::uint32_t version = add_version({.since = tick,
                                             .owner = state.owner,
                                             .parts = parts_.add(state.parts),
                                             .is_disabled = state.is_disabled});
  lives_[index] = {.born = tick,
                   .id = id,
                   .is_single_use = is_single_use,
                   .previous = previous,
                   .first_version = version,
                   .last_version = version};
  return index;
}

void LifeTable::alter(LifeIndex index, Tick tick, const State& state) {
  Life& life = lives_[index];
  const Version& last = versions_[life.last_version];
  const bool has_same_parts = std::ranges::equal(parts_.parts(last.parts), state.parts);
  if (has_same_parts && last.owner == state.owner && last.is_disabled == state.is_disabled) return;
  Version version{.since = tick, .owner = state.owner, .parts = last.parts, .is_disabled = state.is_disabled};
  if (!has_same_parts) version.parts = parts_.add(state.parts);
  const std::uint32_t added = add_version(version);
  versions_[life.last_version].next = added;
  life.last_version = added;
  alterations_.push_back({tick, index});
}

void LifeTable::end(LifeIndex life, Tick tick) {
  lives_[life].died = tick;
  dead_.push_back(life);
}

void LifeTable::forget_before(Tick oldest) {
  for (; !alterations_.empty() && alterations_.front().tick <= oldest; alterations_.pop_front()) {
    remove_versions_before(lives_[alterations_.front().life], oldest);
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
  const Version& last = versions_[life.last_version];
  if (last.since <= tick) return state_of(last);
  const Version* version = &versions_[life.first_version];
  SWEEPD_ASSERT(version->since <= tick);
  while (versions_[version->next].since <= tick) version = &versions_[version->next];
  return state_of(*version);
}

std::vector<LifeTable::Dated> LifeTable::versions_of(LifeIndex index) const {
  std::vector<Dated> versions;
  for (std::uint32_t at = lives_[index].first_version; at != kNone; at = versions_[at].next) {
    versions.push_back({versions_[at].since, state_of(versions_[at])});
  }
  return versions;
}

LifeTable::State LifeTable::state_of(const Version& version) const {
  return {.owner = version.owner, .is_disabled = version.is_disabled, .parts = parts_.parts(version.parts)};
}

std::uint32_t LifeTable::add_version(const Version& version) {
  if (free_versions_.empty()) {
    free_versions_.push_back(static_cast<std::uint32_t>(versions_.size()));
    base::append_tightly(versions_);
  }
  const std::uint32_t index = free_versions_.back();
  free_versions_.pop_back();
  versions_[index] = version;
  return index;
}

void LifeTable::remove_versions_before(Life& life, Tick tick) {
  while (life.first_version != life.last_version &&
         versions_[versions_[life.first_version].next].since <= tick) {
    remove_first_version(life);
  }
}

void LifeTable::remove_first_version(Life& life) {
  const Version& version = versions_[life.first_version];
  const bool is_last = life.first_version == life.last_version;
  if (is_last || versions_[version.next].parts != version.parts) parts_.release(version.parts);
  free_versions_.push_back(life.first_version);
  life.first_version = version.next;
}

void LifeTable::remove(LifeIndex index) {
  Life& life = lives_[index];
  while (life.first_version != life.last_version) remove_first_version(life);
  remove_first_version(life);
  if (last_lives_.find(life.id) == index) last_lives_.erase(life.id);
  life = {};
  free_lives_.push_back(index);
}

std::size_t LifeTable::bytes() const {
  return lives_.capacity() * sizeof(Life) + versions_.capacity() * sizeof(Version) + parts_.bytes() +
         alterations_.size() * sizeof(Alteration) + dead_.size() * sizeof(LifeIndex);
}

}  // namespace sweepd::match
