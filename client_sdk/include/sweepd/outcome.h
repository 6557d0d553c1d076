// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweepd/ids.h"
#include "sweepd/role.h"
#include "sweepd/shapes.h"

/// What contact does to objects, and what may be done to many of them at once.
namespace sweepd {

/// Two layers that collide, by name and in either order, and what their contact does.
struct CollidingLayers {
  std::string layer_a = {};
  std::string layer_b = {};
  /// Contact is told and does nothing: it uses up no single-use object and takes no hit points. Graze.
  bool sensor = false;
  /// Contact takes hit points again after so many ticks, while it lasts; at most 3600. 0: when it begins
  /// only.
  std::uint32_t damage_interval_ticks = 0;
  /// Contact is told and does nothing by itself, as of a sensor: what hits is a claim that is confirmed
  /// (Session::claim_hit), once per shot and target. For games that predict. Needs ClaimPolicy::kEnforce.
  bool by_claims = false;
  /// The tolerance that a claim about the two has at most, in units; 0 to 65536. Absent:
  /// ClaimRules::tolerance_max alone.
  std::optional<double> claim_tolerance_max = {};
  friend bool operator==(const CollidingLayers&, const CollidingLayers&) = default;
};

/// What becomes of the stage's objects when the participant that acts as the stage leaves.
enum class StageHandover {
  kNone,  ///< They leave with it.
  /// They go, with the right to act as the stage, to another participant that acts as one, or else to a
  /// player: of several the one of the lowest number.
  kLowestNumber,
};

/// The rules of the game, as it names them: told to all, without effect. At most 64 bytes each.
struct Ruleset {
  std::string name = {};
  std::string version = {};
};

/// Every object with a part on one of `layers` that touches `region`, of those that the session may clear:
/// its own, and others' where that part is on one of MatchConfig::clearable_layers. Disabled objects are
/// nowhere.
struct Selection {
  std::vector<std::uint32_t> layers = {};  ///< Empty: all.
  std::optional<Box> region = {};          ///< Absent: everywhere.
};

/// An object that lost its last hit point. It is gone; its encounters ended with kDestroyed.
struct Destruction {
  ObjectId object = 0;
  ObjectId by_object = 0;          ///< Whose damage it was.
  ParticipantNumber owner = 0;     ///< Whose object was destroyed,
  ParticipantNumber by_owner = 0;  ///< and whose the other is.
  std::uint32_t layer = 0;         ///< Of the contact in which it happened: the destroyed object's,
  std::uint32_t by_layer = 0;      ///< and the other's.
  Tick tick = 0;
};

/// Objects that have another owner now, or a stage that another participant acts as, or both.
struct OwnerChange {
  ParticipantNumber from = 0;  ///< May have left.
  ParticipantNumber to = 0;
  bool with_stage = false;  ///< `to` acts as the stage from now on.
  std::vector<ObjectId> objects = {};
  Tick tick = 0;
};

/// To whom a message goes.
struct MessageReceiver {
  std::optional<ParticipantNumber> participant = {};
  /// All others of that role; kStage: and the participant that acts as the stage; kObserver: and watchers.
  /// Neither: all others, and watchers.
  std::optional<Role> role = {};
};

/// Bytes of the game's own, from another participant.
struct AppMessage {
  ParticipantNumber from = 0;
  std::string content = {};
  Tick tick = 0;  ///< In which its frame applied.
};

}  // namespace sweepd
