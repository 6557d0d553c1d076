// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "collision/world.h"
#include "match/config.h"
#include "match/frame.h"
#include "match/frame_applier_state.h"
#include "match/mass_applier.h"
#include "match/participant.h"
#include "match/refusal.h"

namespace sweepd::match {

/// Applies frames to the world of the tick in progress. Each change is hashed, then made or refused, alone:
/// whatever the others of its frame do. A refused change is counted for its participant and goes to the log.
class FrameApplier {
 public:
  FrameApplier(FrameApplierState state, const MatchConfig& config);

  /// `frame` is used up.
  void apply(Participant& participant, Frame& frame);

 private:
  struct Sender {
    Participant& participant;
    Tick frame_tick;
    ParticipantNumber number() const { return participant.number; }
  };

  void spawn(Sender sender, std::vector<collision::ObjectSpec>& spawns);
  void reshape(Sender sender, std::vector<Reshape>& reshapes);
  void change_layers(Sender sender, const std::vector<LayerChange>& changes);
  void move(Sender sender, const std::vector<Move>& moves, std::size_t relative_moves);
  void teleport(Sender sender, const std::vector<Move>& teleports);
  void change_motions(Sender sender, const std::vector<MotionChange>& changes);
  void disable(Sender sender, const std::vector<Disable>& disables);
  void enable(Sender sender, const std::vector<ObjectId>& objects);
  void despawn(Sender sender, const std::vector<ObjectId>& objects);

  /// `part_at_fault`: what is wrong with its parts, as far as known.
  std::optional<Refusal> try_spawn(Sender sender, const collision::ObjectSpec& spec,
                                   std::optional<Refusal> part_at_fault);
  std::optional<Refusal> try_reshape(Sender sender, const Reshape& reshape,
                                     std::optional<Refusal> part_at_fault);
  /// Makes a change to an object, which only its owner may.
  template <typename Change>
  std::optional<Refusal> try_change(Sender sender, ObjectId object, Change&& change);
  /// The same for a change that limits are for.
  template <typename Judge, typename Change>
  std::optional<Refusal> try_limited(Sender sender, ObjectId object, Judge&& judge, Change&& change);
  std::optional<Refusal> try_move(Sender sender, const Move& move, bool is_limited);
  template <typename Describe>
  void refuse(Sender sender, Refusal refusal, ObjectId object, Describe&& describe);

  FrameApplierState state_;
  RefusalContext context_;
  MassApplier mass_;
};

}  // namespace sweepd::match
