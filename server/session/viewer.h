// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "identity/principal.h"
#include "match/history/past_world.h"
#include "match/visibility/lookout.h"
#include "match/visibility/visibility.h"
#include "runtime/match/match_host.h"
#include "session/match_codec.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::session {

/// What a caller's ticket lets it see of a match without a seat on a stream.
match::Viewer watcher_of(const identity::Principal& principal, const runtime::MatchHost& host);
/// The same with the eyes of the subject's seats.
match::Viewer viewer_of(const identity::Principal& principal, const runtime::MatchHost& host);

/// As long as the match runs, its rules hide something from the viewer, or tell it late.
bool is_limited(const match::Viewer& viewer, const runtime::MatchHost& host);

/// Takes out of the description of a match that runs by what the viewer could test guesses at what is hidden
/// from it: the digest, and the counts of what claims came to.
void leave_out_hidden(const match::Viewer& viewer, const runtime::MatchHost& host, v1::Match& message);

/// What a participant that sits down is told of itself and its match, by that ticket.
void encode_joined(const runtime::MatchHost& host, const Endpoint& endpoint,
                   const identity::Principal& principal, const match::Participant& participant,
                   v1::Joined& joined);

/// The last tick of which the viewer may ask; nothing: there was none so long ago.
std::optional<match::Tick> last_tick_of(const match::Viewer& viewer, const runtime::MatchHost& host);

/// A world as a viewer that does not see all may know it. Past its tests it knows nothing any more: what it
/// answers then is to be thrown away.
class SeenWorld {
 public:
  SeenWorld(const match::Viewer& viewer, const runtime::MatchHost& host, match::Tick tick,
            std::uint32_t tests_max);
  SeenWorld(const SeenWorld&) = delete;
  SeenWorld& operator=(const SeenWorld&) = delete;

  /// The objects of which it sees each layer that they have a part on, and its own.
  match::PastWorld objects();
  /// One of its own takes part, or it sees both.
  bool sees(const collision::EncounterKey& key);

  /// What its looks at distances have taken.
  const collision::TestMeter& meter() const { return lookout_.meter(); }

 private:
  bool sees(const match::PastObject& object, collision::LayerId layer);
  std::optional<collision::Point> position_of(match::ParticipantNumber own, match::ObjectId anchor) const;

  const match::Viewer& viewer_;
  const match::Match& match_;
  const match::Visibility& rules_;
  match::PastWorld world_;
  match::Lookout lookout_;
};

}  // namespace sweepd::session
