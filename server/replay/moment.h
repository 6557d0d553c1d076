// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "match/match.h"
#include "replay/reader.h"

namespace sweepd::replay {

/// An object at the end of a tick.
struct MomentObject {
  match::ObjectId id = 0;
  match::ParticipantNumber owner = 0;
  match::Trajectory trajectory = {};
  bool is_disabled = false;
  std::vector<collision::Part> parts = {};
};

/// All that can be said of a tick of a match: how it ended and what it brought.
struct Moment {
  Tick tick = 0;
  std::uint64_t digest = 0;
  collision::Point playfield_origin = {};
  std::vector<MomentObject> objects = {};  ///< By id; the disabled, too.
  std::vector<collision::Encounter> encounters = {};
  std::vector<collision::Event> events = {};
  std::vector<match::ClaimVerdict> claims = {};
  std::vector<match::Rejection> rejections = {};
  std::vector<match::Score> scores = {};
  std::vector<match::Participant> participants = {};  ///< With their counters.
};

/// Of a match that has just run the tick.
Moment moment_of(const match::Match& match, const match::TickOutput& output);

/// The ticks from `first` to `last` of a replay in their order, each as it was: claims are judged by the same
/// past as they were then. Played from the key frame before them: of a replay that has not been verified they
/// may be ticks that never were. `first`: at least 1; `last`: at least `first`, at most the reader's
/// tick_count(). The fault where a tick cannot be read, or is not as the replay says.
std::optional<FileFault> visit_moments(const Reader& reader, Tick first, Tick last,
                                       const std::function<void(const Moment&)>& visit);

}  // namespace sweepd::replay
