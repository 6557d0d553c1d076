// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "match/config.h"
#include "match/frame_queue.h"
#include "match/match.h"
#include "match/participant.h"

namespace sweepd::match {

/// A participant and what waits for it.
struct Seat {
  Participant participant;
  FrameQueue frames;
  bool has_sent_frame = false;
  bool is_new = true;  ///< No tick has run since it joined.

  bool may_change() const { return participant.role != Role::kObserver; }
};

/// Who is in the match, by number. A number is taken while somebody sits there or objects of who left are
/// still around.
class Seats {
 public:
  using ByNumber = std::map<ParticipantNumber, Seat>;

  explicit Seats(const MatchConfig& config) : config_(config) {}

  base::Result<Seat*, JoinError> take(const JoinRequest& request);

  /// Empties a seat. `has_objects`: its number stays taken until `clear_departures`.
  void leave(ParticipantNumber number, bool has_objects);

  /// Numbers of players and stages that left since the last `clear_departures`, ascending; those that came
  /// and went without a tick in between are not among them.
  std::vector<ParticipantNumber> departures() const;
  void clear_departures() { departures_.clear(); }

  Seat* find(ParticipantNumber number);
  ByNumber& by_number() { return seats_; }
  const ByNumber& by_number() const { return seats_; }

 private:
  struct Departure {
    ParticipantNumber number;
    bool has_objects;
  };

  bool has_name(const std::string& name) const;
  bool is_free(ParticipantNumber number) const;
  std::optional<ParticipantNumber> lowest_free(ParticipantNumber first, std::uint32_t count) const;
  base::Result<Seat*, JoinError> take_slot(const JoinRequest& request);
  base::Result<Seat*, JoinError> take_lowest(const JoinRequest& request);
  Seat* sit_down(ParticipantNumber number, const JoinRequest& request, const ParticipantSlot* slot);

  const MatchConfig& config_;
  ByNumber seats_;
  std::vector<Departure> departures_;
};

}  // namespace sweepd::match
