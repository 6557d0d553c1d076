// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweepd/ids.h"
#include "sweepd/role.h"
#include "sweepd/shapes.h"

/// What there is to see of a match's world: see WorldView.
namespace sweepd {

/// What a session or a watcher is told of the world. What is left out is not limited; what the match's rules
/// of visibility hide is not told in any case.
struct WorldInterest {
  std::vector<std::uint32_t> layers = {};      ///< Objects with a part on one of them.
  std::optional<Box> region = {};              ///< Objects of which the box around all parts touches it.
  std::vector<ParticipantNumber> owners = {};  ///< Their objects, at most 64.
  /// The session's own objects, beside those of `owners`. Not for a watcher, which has none.
  bool own_objects = false;
  std::uint32_t every_ticks = 1;  ///< News come every so many ticks; at most 60.
  /// Positions come in steps of so many units, each at most half a step off; at most 256. 0: exactly.
  double position_step = 0;
  /// `region` is relative to where this object is; while it is not there, the region stays where it was last.
  /// 0: the region is fixed.
  ObjectId follow_object = 0;
  /// What is in view stays so until it is more than so many units outside of `region`.
  double leave_margin = 0;
  /// About so many bytes of news come a second, at least 256; what is near and what is new come first, the
  /// rest is late (WorldObject::is_late, WorldView::waiting). 0: as many as it takes.
  std::uint32_t bytes_per_second = 0;
};

/// An object of the world in view.
struct WorldObject {
  ObjectId id = 0;
  ParticipantNumber owner = 0;
  std::uint32_t template_number = 0;  ///< ObjectSpec::template_number.
  std::uint64_t tag = 0;              ///< ObjectSpec::tag.
  std::uint32_t hit_points = 0;       ///< That are left.
  bool is_disabled = false;           ///< It meets no object.
  bool is_frozen = false;
  bool is_late = false;  ///< It has changed, and what about it has yet to come: see bytes_per_second.
  std::shared_ptr<const std::vector<Part>> parts = {};  ///< Equal ones are the same. Never null.
};

/// Why an object is not told of any more.
enum class DepartureReason {
  kLeftView,  ///< It exists, but not in view.
  kDespawned,
  kExpired,
  kLeftPlayfield,
  kConsumed,
  kDestroyed,
  kOwnerLeft,
};

struct WorldDeparture {
  WorldObject object = {};
  Vec2 position = {};  ///< Where it would be now.
  DepartureReason reason = DepartureReason::kLeftView;
};

/// How one of the session's own frames came to the server: of those that named a tick.
struct FrameArrival {
  ParticipantNumber participant = 0;  ///< Whose it was; told on shared streams only.
  Tick tick = 0;                      ///< For which it was.
  std::int64_t margin_ticks = 0;      ///< So many ticks before that ran; 0: just in time. Less: it was late.
  /// So many ticks beyond the last one that had been heard of here when it was sent it came.
  Tick lag_ticks = 0;
};

/// A player or a stage of the match.
struct WorldParticipant {
  ParticipantNumber number = 0;
  std::string name = {};
  Role role = Role::kPlayer;
  friend bool operator==(const WorldParticipant&, const WorldParticipant&) = default;
};

}  // namespace sweepd
