// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "match/frame.h"
#include "match/participant.h"
#include "match/role.h"

namespace sweepd::replay {

using match::ParticipantNumber;
using match::Tick;

/// Somebody took a seat, and got this number.
struct Join {
  ParticipantNumber number = 0;
  std::string name = {};
  match::Role role = match::Role::kPlayer;
  friend bool operator==(const Join&, const Join&) = default;
};

struct Leave {
  ParticipantNumber number = 0;
  friend bool operator==(const Leave&, const Leave&) = default;
};

/// Its connection broke.
struct Away {
  ParticipantNumber number = 0;
  friend bool operator==(const Away&, const Away&) = default;
};

/// It is back on its seat.
struct Back {
  ParticipantNumber number = 0;
  friend bool operator==(const Back&, const Back&) = default;
};

/// A frame that the match accepted, as it came in.
struct Submission {
  ParticipantNumber number = 0;
  match::Frame frame = {};
};

/// A call that had a part in what a match became. These and the config determine it. Calls that were refused
/// whole (frames, joins) and what was refused before the match saw it change counters and nothing else, so
/// they are no inputs; nor is how far a participant says it has seen the match (`acknowledged_tick`), nor are
/// the frames of observers, which can do no more than say that.
using Input = std::variant<Join, Leave, Away, Back, Submission>;

/// A tick of a match: what came in since the one before, in order, and where it led.
struct TickRecord {
  Tick tick = 0;
  std::uint64_t digest = 0;  ///< After it.
  bool ends_match = false;  ///< It was run by `end`, not by `step`, which ends it where a budget is exceeded.
  std::vector<Input> inputs = {};
};

}  // namespace sweepd::replay
