// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/id_index.h"
#include "match/frame.h"
#include "match/participant.h"
#include "replay/varint.h"

namespace sweepd::replay {

/// Seats there can be, observers' included.
inline constexpr std::uint32_t kNumbersEnd = match::kParticipantsMax + match::kObserversMax;

/// What has been heard of objects so far, and what is to be expected of the next move: which object, and
/// where. Writer and reader keep one each and stay alike, so that only what is not as expected has to be
/// written.
class MoveTracks {
 public:
  void note_spawns(const match::Frame& frame);
  void note_teleports(const match::Frame& frame);
  /// Before and after the moves of a frame that has some.
  void begin_moves(match::ParticipantNumber number);
  void end_moves();

  /// A move as it is written. `object` goes by the order of objects in the participant's last frame with
  /// moves. 0: the one after the last that was found there. Odd, 2 k - 1: k further on. Even, 2 m: not found
  /// there; m - 1 is the zigzag code of the difference of its id to the one before, or to 0.
  struct Code {
    std::uint64_t object = 0;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
  };
  Code encode(const match::Move& move);
  enum class Decoded : std::uint8_t { kAll, kEndsEarly, kNoObject };
  /// All moves of a frame, as many as there is room for in `moves`: nearly all that a replay is made of.
  /// Where a column ends before that, or a code names no object, what has been read so far is of no use.
  Decoded decode(VarintReader& objects, VarintReader& xs, VarintReader& ys, std::span<match::Move> moves);

 private:
  /// How far on an object is looked for in the order: it may have been alone in being left out, or all before
  /// it may be gone.
  static constexpr std::size_t kSkippedMax = 64;

  /// Coordinates modulo 2^32: no sum overflows.
  struct Track {
    match::ObjectId object = 0;
    std::uint32_t x = 0, y = 0;
    std::uint32_t way_x = 0, way_y = 0;
    bool has_place = false;
  };

  std::uint32_t track_of(match::ObjectId object);
  std::uint64_t code_of(match::ObjectId object) const;
  std::optional<std::uint32_t> find_track(std::uint64_t code);
  match::Move advance(std::uint32_t track, std::uint32_t x, std::uint32_t y);
  match::ObjectId object_before() const { return now_.empty() ? 0 : tracks_[now_.back()].object; }

  std::vector<Track> tracks_;
  collision::IdIndex by_object_;
  std::array<std::vector<std::uint32_t>, kNumbersEnd> orders_;  ///< Tracks of the last frame with moves.
  match::ParticipantNumber number_ = 0;                         ///< Of the frame in progress.
  std::vector<std::uint32_t> now_;                              ///< Its order so far.
  std::size_t next_ = 0;                                        ///< In the order before.
};

}  // namespace sweepd::replay
