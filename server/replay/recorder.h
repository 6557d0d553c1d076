// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "match/match.h"
#include "replay/input.h"

namespace sweepd::replay {

/// Stands between a match and whoever drives it: passes every call on and keeps what determines the match.
/// The match must be new, or played up to its last record, and must get all these calls through here.
/// Not thread-safe, as the match.
class Recorder {
 public:
  /// Of one tick. All other inputs need a seat and are bounded for each by the match: a frame waits or is
  /// refused; who goes and comes back within a tick has never been away.
  static constexpr std::size_t kJoinsPerTickMax = 4096;

  explicit Recorder(match::Match& match) : match_(match) {}

  /// As of Match. Once kJoinsPerTickMax have joined since the last tick, MATCH_FULL until the next.
  base::Result<match::Participant, match::JoinError> join(const match::JoinRequest& request);
  void leave(ParticipantNumber number);
  void set_away(ParticipantNumber number);
  bool set_back(ParticipantNumber number);
  std::optional<match::Rejection> submit(ParticipantNumber number, match::Frame frame);
  const match::TickOutput& step();
  const match::TickOutput& end();

  /// Who came and went since the last tick, in order.
  std::vector<Input> arrivals() const;

  /// The tick that ran last. Once after each.
  TickRecord take_tick();

 private:
  void close(const match::TickOutput& output, bool ends_match);
  bool forget_departure(ParticipantNumber number);

  match::Match& match_;
  std::vector<Input> inputs_;  ///< Since the last tick.
  std::size_t joins_ = 0;      ///< Among them.
  std::optional<TickRecord> closed_;
};

}  // namespace sweepd::replay
