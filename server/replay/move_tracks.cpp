// SPDX-License-Identifier: MIT
#include "replay/move_tracks.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "replay/varint.h"

namespace sweepd::replay {
namespace {

std::uint32_t zigzag_small(std::uint32_t value) { return value << 1 ^ (0 - (value >> 31)); }
std::uint32_t unzigzag_small(std::uint32_t code) { return code >> 1 ^ (0 - (code & 1)); }

}  // namespace

std::uint32_t MoveTracks::track_of(match::ObjectId object) {
  if (const std::uint32_t known = by_object_.find(object); known != collision::IdIndex::kNone) return known;
  const auto track = static_cast<std::uint32_t>(tracks_.size());
  tracks_.push_back({.object = object});
  by_object_.insert(object, track);
  return track;
}

void MoveTracks::note_spawns(const match::Frame& frame) {
  for (const collision::ObjectSpec& spec : frame.spawns) {
    Track& track = tracks_[track_of(spec.id)];
    track.x = static_cast<std::uint32_t>(spec.position.x);
    track.y = static_cast<std::uint32_t>(spec.position.y);
    track.way_x = static_cast<std::uint32_t>(spec.motion.velocity.x);
    track.way_y = static_cast<std::uint32_t>(spec.motion.velocity.y);
    track.has_place = true;
  }
}

void MoveTracks::note_teleports(const match::Frame& frame) {
  for (const match::Move& teleport : frame.teleports) {
    Track& track = tracks_[track_of(teleport.object)];
    track.x = static_cast<std::uint32_t>(teleport.position.x);
    track.y = static_cast<std::uint32_t>(teleport.position.y);
    track.has_place = true;
  }
}

void MoveTracks::begin_moves(match::ParticipantNumber number) {
  SWEEPD_ASSERT(number < kNumbersEnd);
  number_ = number;
  now_.clear();
  next_ = 0;
}

void MoveTracks::end_moves() { std::swap(orders_[number_], now_); }

std::uint64_t MoveTracks::code_of(match::ObjectId object) const {
  const std::vector<std::uint32_t>& order = orders_[number_];
  const std::size_t end = std::min(order.size(), next_ + kSkippedMax + 1);
  for (std::size_t place = next_; place < end; ++place) {
    if (tracks_[order[place]].object != object) continue;
    return place == next_ ? 0 : 2 * (place - next_) - 1;
  }
  return 2 * (zigzag(std::int64_t{object} - std::int64_t{object_before()}) + 1);
}

MoveTracks::Code MoveTracks::encode(const match::Move& move) {
  Code code{.object = code_of(move.object)};
  const bool is_in_order = code.object % 2 == 1 || code.object == 0;
  if (is_in_order) next_ += static_cast<std::size_t>((code.object + 1) / 2 + 1);
  const std::uint32_t index = track_of(move.object);
  Track& track = tracks_[index];
  const auto x = static_cast<std::uint32_t>(move.position.x);
  const auto y = static_cast<std::uint32_t>(move.position.y);
  code.x = zigzag_small(x - track.x - track.way_x);
  code.y = zigzag_small(y - track.y - track.way_y);
  if (track.has_place) {
    track.way_x = x - track.x;
    track.way_y = y - track.y;
  }
  track.has_place = true;
  track.x = x;
  track.y = y;
  now_.push_back(index);
  return code;
}

inline std::optional<std::uint32_t> MoveTracks::find_track(std::uint64_t code) {
  const std::vector<std::uint32_t>& order = orders_[number_];
  if (code == 0 || code % 2 == 1) {
    const std::uint64_t skipped = code / 2 + code % 2;
    if (skipped >= order.size() - std::min(next_, order.size())) return std::nullopt;
    next_ += static_cast<std::size_t>(skipped);
    return order[next_++];
  }
  const std::uint64_t object =
      std::uint64_t{object_before()} + static_cast<std::uint64_t>(unzigzag(code / 2 - 1));
  if (object > ~match::ObjectId{0}) return std::nullopt;
  return track_of(static_cast<match::ObjectId>(object));
}

inline match::Move MoveTracks::advance(std::uint32_t index, std::uint32_t x, std::uint32_t y) {
  Track& track = tracks_[index];
  const std::uint32_t way_x = track.way_x + unzigzag_small(x);
  const std::uint32_t way_y = track.way_y + unzigzag_small(y);
  track.x += way_x;
  track.y += way_y;
  if (track.has_place) {
    track.way_x = way_x;
    track.way_y = way_y;
  }
  track.has_place = true;
  return {track.object,
          {static_cast<collision::Subunits>(track.x), static_cast<collision::Subunits>(track.y)}};
}

MoveTracks::Decoded MoveTracks::decode(VarintReader& all_objects, VarintReader& all_xs, VarintReader& all_ys,
                                       std::span<match::Move> moves) {
  // Local copies, to which nothing else can point: they stay in registers.
  VarintReader objects = all_objects, xs = all_xs, ys = all_ys;
  const std::span<const std::uint32_t> order = orders_[number_];
  std::size_t next = next_;
  now_.reserve(moves.size());
  for (match::Move& move : moves) {
    const auto code = objects.next();
    const auto x = xs.next_small();
    const auto y = ys.next_small();
    if (!code || !x || !y) return Decoded::kEndsEarly;
    std::uint32_t track = 0;
    if (*code == 0 && next < order.size()) [[likely]] {
      track = order[next++];
    } else {
      next_ = next;
      const auto found = find_track(*code);
      if (!found) return Decoded::kNoObject;
      track = *found;
      next = next_;
    }
    move = advance(track, *x, *y);
    now_.push_back(track);
  }
  all_objects = objects;
  all_xs = xs;
  all_ys = ys;
  return Decoded::kAll;
}

}  // namespace sweepd::replay
