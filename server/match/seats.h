// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/result.h"
#include "match/config.h"
#include "match/frame_queue.h"
#include "match/frame_tally.h"
#include "match/input.h"
#include "match/participant.h"

namespace sweepd::match {

/// More have left: the first of them are forgotten.
inline constexpr std::size_t kFormerParticipantsMax = 256;

/// A participant and what waits for it.
struct Seat {
  Participant participant;
  FrameQueue frames;
  FrameTally tally;
  bool has_sent_frame = false;
  bool is_new = true;   ///< No tick has run since it joined.
  Tick away_since = 0;  ///< While it is away: the last tick that had run when its connection broke.

  bool may_change() const { return participant.role != Role::kObserver; }
  /// Whether a tick that waits for frames waits for one of this seat.
  bool is_expected_to_play() const { return may_change() && !participant.is_away; }
};

/// Who is in the match, by number. A number is taken while a participant has it, or while objects of a
/// previous one remain, even with another owner: their ids are in use.
class Seats {
 public:
  using ByNumber = std::map<ParticipantNumber, Seat>;

  explicit Seats(const MatchConfig& config) : config_(config) {}

  /// Whether an object with an id of a block exists, of any owner.
  using IsBlockInUse = std::function<bool(ObjectId first, ObjectId last)>;

  base::Result<Seat*, JoinError> take(const Join& request, const IsBlockInUse& is_block_in_use);

  /// Empties a seat. `has_objects`: its number stays taken until `clear_departures`.
  void leave(ParticipantNumber number, bool has_objects);

  struct Departure {
    Participant participant = {};
    bool has_objects = false;
  };
  /// Players and stages that left since the last `clear_departures`, ascending; those that came and went
  /// without a tick in between are not among them.
  std::vector<Departure> departures() const;
  void clear_departures() { departures_.clear(); }

  /// Players and stages that have left, in that order.
  const std::deque<Participant>& former() const { return former_; }

  Seat* find(ParticipantNumber number);
  ByNumber& by_number() { return seats_; }
  const ByNumber& by_number() const { return seats_; }
  std::size_t frames_waiting() const;
  /// How many players and stages have sent a frame.
  std::uint32_t ready() const;

  /// What is left when all that a seat's refused and silent frames may have changed is forgotten: counts and
  /// acknowledged ticks.
  Seats without_counts() const;

  void save(base::ByteWriter& writer) const;
  /// After `tick`, of a match of the same config, with whatever number of objects: `has_objects` tells
  /// whether a number has any.
  using HasObjects = std::function<bool(ParticipantNumber)>;
  void restore(base::ByteReader& reader, Tick tick, const HasObjects& has_objects);

  /// How late participants are, what templates refused them, and which have left: apart from the rest, as
  /// matches have been saved without it.
  void save_records(base::ByteWriter& writer) const;
  void restore_records(base::ByteReader& reader, Tick tick);

 private:
  void restore_seat(base::ByteReader& reader, Tick tick);
  void restore_departure(base::ByteReader& reader, Tick tick);
  bool has_name(const std::string& name) const;
  bool is_free(ParticipantNumber number) const;
  std::optional<ParticipantNumber> lowest_free_observer() const;
  std::optional<ParticipantNumber> lowest_free(const IsBlockInUse& is_block_in_use) const;
  base::Result<Seat*, JoinError> take_slot(const Join& request, const IsBlockInUse& is_block_in_use);
  base::Result<Seat*, JoinError> take_lowest(const Join& request, const IsBlockInUse& is_block_in_use);
  Seat* sit_down(ParticipantNumber number, const Join& request, const ParticipantSlot* slot);

  const MatchConfig& config_;
  ByNumber seats_;
  std::vector<Departure> departures_;
  std::deque<Participant> former_;
};

}  // namespace sweepd::match
