// SPDX-License-Identifier: MIT
#include "wire/position_table.h"

#include <utility>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::wire {
namespace {

// All entries have been gone through after so many frames.
constexpr std::size_t kFramesPerRound = 32;

}  // namespace

void PositionTable::begin_frame() {
  frame_ += 2;
  guess_ = 0;
  clear_some();
}

PositionTable::Entry* PositionTable::entry_of(collision::ObjectId id) {
  if (guess_ >= entries_.size() || entries_[guess_].id != id) {
    const std::uint32_t place = places_.find(id, id_at());
    if (place == kNone) return nullptr;
    guess_ = place;
  }
  return &entries_[guess_++];
}

const SentPosition* PositionTable::find(collision::ObjectId id) const {
  const std::uint32_t place = places_.find(id, id_at());
  if (place == kNone || is_too_old(entries_[place])) return nullptr;
  return &entries_[place].position;
}

PositionTable::Place PositionTable::find_or_add(collision::ObjectId id) {
  if (Entry* const entry = entry_of(id)) {
    if (!is_too_old(*entry)) return {&entry->position, std::exchange(entry->set_in, frame_)};
    *entry = {id, frame_, {}};
    return {&entry->position, kNoFrame};
  }
  if (entries_.size() == positions_max_) return {};
  places_.insert(id, static_cast<std::uint32_t>(entries_.size()), id_at());
  return {&base::append_tightly(entries_, Entry{id, frame_, {}}).position, kNoFrame};
}

void PositionTable::restore(collision::ObjectId id, const SentPosition& position, FrameMark set_in) {
  if (set_in == kNoFrame) return erase(id);
  Entry* const entry = entry_of(id);
  SWEEPD_ASSERT(entry != nullptr);
  *entry = {id, set_in, position};
}

void PositionTable::erase(collision::ObjectId id) {
  const std::uint32_t place = places_.find(id, id_at());
  if (place != kNone) erase_at(place);
}

// The last one takes its place.
void PositionTable::erase_at(std::size_t place) {
  places_.erase(entries_[place].id, id_at());
  const Entry last = entries_.back();
  if (place + 1 < entries_.size()) {
    places_.erase(last.id, id_at());
    entries_[place] = last;
    places_.insert(last.id, static_cast<std::uint32_t>(place), id_at());
  }
  entries_.pop_back();
}

void PositionTable::clear_some() {
  // By the room that there is: by their number, ever fewer would be gone through as they become fewer.
  for (std::size_t left = entries_.capacity() / kFramesPerRound + 1; left > 0 && !entries_.empty(); --left) {
    if (next_to_clear_ >= entries_.size()) next_to_clear_ = 0;
    if (is_too_old(entries_[next_to_clear_])) {
      erase_at(next_to_clear_);  // What has come into its place is next.
    } else {
      ++next_to_clear_;
    }
  }
}

}  // namespace sweepd::wire
