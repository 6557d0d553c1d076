// SPDX-License-Identifier: MIT
#include "match/frame_applier.h"

#include <utility>

#include "base/assert.h"
#include "match/part_preparer.h"

namespace sweepd::match {

FrameApplier::FrameApplier(FrameApplierState state, const MatchConfig& config)
    : state_(state),
      context_{.tick = 0,
               .layer_count = static_cast<std::uint32_t>(config.layers.size()),
               .objects_per_participant_max = config.objects_per_participant_max,
               .masks = config.masks},
      mass_(state, config) {}

void FrameApplier::apply(Participant& participant, Frame& frame) {
  SWEEPD_ASSERT(participant.role != Role::kObserver);
  SWEEPD_ASSERT(frame.relative_moves <= frame.moves.size());
  context_.tick = state_.world.tick() + 1;
  const Sender sender{participant, frame.tick};
  const MassApplier::Sender mass_sender{participant, frame.tick};
  spawn(sender, frame.spawns);
  reshape(sender, frame.reshapes);
  change_layers(sender, frame.layer_changes);
  move(sender, frame.moves, frame.relative_moves);
  teleport(sender, frame.teleports);
  change_motions(sender, frame.motions);
  mass_.freeze(mass_sender, frame.freezes);
  mass_.release(mass_sender, frame.releases);
  disable(sender, frame.disables);
  enable(sender, frame.enables);
  mass_.transfer(mass_sender, frame.transfers);
  despawn(sender, frame.despawns);
  mass_.despawn(mass_sender, frame.mass_despawns);
  mass_.scroll(mass_sender, frame.scroll);
}

template <typename Change>
std::optional<Refusal> FrameApplier::try_change(Sender sender, ObjectId object, Change&& change) {
  return try_limited(
      sender, object, [] { return std::nullopt; }, change);
}

template <typename Judge, typename Change>
std::optional<Refusal> FrameApplier::try_limited(Sender sender, ObjectId object, Judge&& judge,
                                                 Change&& change) {
  const std::optional<ParticipantNumber> owner = state_.owners.owner_of(object);
  if (!owner) return Refusal{RejectionReason::kUnknownObject};
  if (*owner != sender.number()) return Refusal{RejectionReason::kNotOwner};
  if (std::optional<Refusal> refusal = judge()) return refusal;
  const collision::ChangeResult result = change();
  if (result.ok()) [[likely]]
    return std::nullopt;
  return refusal_of(result);
}

template <typename Describe>
void FrameApplier::refuse(Sender sender, Refusal refusal, ObjectId object, Describe&& describe) {
  sender.participant.count_rejection(refusal.reason);
  state_.rejections.add(sender.number(), [&] {
    RefusalText text = describe();
    return Rejection{sender.number(),       context_.tick, sender.frame_tick,      refusal.reason,
                     std::move(text.field), object,        std::move(text.message)};
  });
}

std::optional<Refusal> FrameApplier::try_spawn(Sender sender, const collision::ObjectSpec& spec,
                                               std::optional<Refusal> part_at_fault) {
  const Participant& participant = sender.participant;
  if (spec.id < participant.first_id || spec.id > participant.last_id) {
    return Refusal{RejectionReason::kIdOutOfBlock};
  }
  if (auto refusal = state_.limits.judge_spawn(participant, spec)) return refusal;
  if (part_at_fault) return part_at_fault;
  const std::optional<Refusal> refusal = refusal_of(state_.world.spawn(spec));
  if (refusal) return refusal;
  state_.owners.add({sender.number(), static_cast<std::uint32_t>(spec.parts.size())});
  state_.limits.accept();
  return std::nullopt;
}

void FrameApplier::spawn(Sender sender, std::vector<collision::ObjectSpec>& spawns) {
  for (std::size_t i = 0; i < spawns.size(); ++i) {
    collision::ObjectSpec& spec = spawns[i];
    spec.owner = sender.number();
    const auto part_at_fault = prepare_parts(spec.parts, context_.masks);
    state_.digest.add_spawn(sender.number(), spec);
    if (const auto refusal = try_spawn(sender, spec, part_at_fault)) {
      refuse(sender, *refusal, spec.id,
             [&] { return describe_spawn(*refusal, i, spec, sender.participant, context_); });
    }
  }
}

std::optional<Refusal> FrameApplier::try_reshape(Sender sender, const Reshape& reshape,
                                                 std::optional<Refusal> part_at_fault) {
  const auto judge = [&] {
    return part_at_fault ? part_at_fault
                         : state_.limits.judge_reshape(sender.participant, reshape.object, reshape.parts);
  };
  std::size_t parts_before = 0;
  const auto refusal = try_limited(sender, reshape.object, judge, [&] {
    parts_before = state_.owners.part_count_in(reshape.object);
    return state_.world.reshape(reshape.object, reshape.parts);
  });
  if (refusal) return refusal;
  state_.owners.change_parts(sender.number(), parts_before, reshape.parts.size());
  state_.limits.accept();
  return std::nullopt;
}

void FrameApplier::reshape(Sender sender, std::vector<Reshape>& reshapes) {
  for (std::size_t i = 0; i < reshapes.size(); ++i) {
    Reshape& reshape = reshapes[i];
    const auto part_at_fault = prepare_parts(reshape.parts, context_.masks);
    state_.digest.add_reshape(sender.number(), reshape);
    const auto refusal = try_reshape(sender, reshape, part_at_fault);
    if (!refusal) continue;
    refuse(sender, *refusal, reshape.object, [&] {
      const auto object = state_.world.find(reshape.object);
      const auto position = object ? std::optional(object->position) : std::nullopt;
      return describe_reshape(*refusal, i, reshape, position, context_);
    });
  }
}

void FrameApplier::change_layers(Sender sender, const std::vector<LayerChange>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const LayerChange& change = changes[i];
    state_.digest.add_layer_change(sender.number(), change);
    const auto refusal = try_limited(
        sender, change.object, [&] { return state_.limits.judge_layer_change(sender.participant, change); },
        [&] { return state_.world.change_layer(change.object, change.part, change.layer); });
    if (!refusal) {
      state_.limits.accept();
      continue;
    }
    refuse(sender, *refusal, change.object, [&] {
      const auto object = state_.world.find(change.object);
      return describe_layer_change(*refusal, i, change, object ? object->parts.size() : 0, context_);
    });
  }
}

void FrameApplier::move(Sender sender, const std::vector<Move>& moves, std::size_t relative_moves) {
  state_.digest.add_moves(sender.number(), moves);
  const bool is_limited = state_.limits.has_any_for_moves();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Move& move = moves[i];
    const auto refusal = try_move(sender, move, is_limited);
    if (!refusal) [[likely]]
      continue;
    refuse(sender, *refusal, move.object, [&] {
      const auto object = state_.world.find(move.object);
      return describe_move(*refusal, i, relative_moves, move,
                           object ? object->parts : std::span<const collision::Part>());
    });
  }
}

/// As all other changes, but quicker: most of what frames hold are moves.
inline std::optional<Refusal> FrameApplier::try_move(Sender sender, const Move& move, bool is_limited) {
  const std::optional<ParticipantNumber> owner = state_.owners.owner_of_next(move.object);
  if (!owner) return Refusal{RejectionReason::kUnknownObject};
  if (*owner != sender.number()) return Refusal{RejectionReason::kNotOwner};
  if (is_limited) {
    if (std::optional<Refusal> refusal = state_.limits.judge_move(move)) return refusal;
  }
  const collision::ChangeResult result = state_.world.move_to(move.object, move.position);
  if (!result.ok()) return refusal_of(result);
  if (is_limited) state_.limits.accept();
  return std::nullopt;
}

void FrameApplier::teleport(Sender sender, const std::vector<Move>& teleports) {
  for (std::size_t i = 0; i < teleports.size(); ++i) {
    const Move& teleport = teleports[i];
    state_.digest.add_teleport(sender.number(), teleport);
    const auto refusal = try_limited(
        sender, teleport.object, [&] { return state_.limits.judge_teleport(sender.participant, teleport); },
        [&] { return state_.world.teleport_to(teleport.object, teleport.position); });
    if (!refusal) {
      state_.limits.accept();
      continue;
    }
    refuse(sender, *refusal, teleport.object, [&] {
      const auto object = state_.world.find(teleport.object);
      return describe_teleport(*refusal, i, teleport,
                               object ? object->parts : std::span<const collision::Part>());
    });
  }
}

void FrameApplier::change_motions(Sender sender, const std::vector<MotionChange>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const MotionChange& change = changes[i];
    state_.digest.add_motion(sender.number(), change);
    const auto refusal = try_limited(
        sender, change.object, [&] { return state_.limits.judge_motion(change); },
        [&] { return state_.world.set_motion(change.object, change.motion); });
    if (!refusal) {
      state_.limits.accept();
      continue;
    }
    refuse(sender, *refusal, change.object, [&] { return describe_motion(*refusal, i, change); });
  }
}

void FrameApplier::disable(Sender sender, const std::vector<Disable>& disables) {
  for (std::size_t i = 0; i < disables.size(); ++i) {
    const Disable& disable = disables[i];
    state_.digest.add_disable(sender.number(), disable);
    const Tick until_tick = disable.until_tick == 0 ? collision::kForever : disable.until_tick;
    const auto refusal = try_change(sender, disable.object,
                                    [&] { return state_.world.disable_until(disable.object, until_tick); });
    if (!refusal) continue;
    refuse(sender, *refusal, disable.object,
           [&] { return describe_disable(*refusal, i, disable, context_); });
  }
}

void FrameApplier::enable(Sender sender, const std::vector<ObjectId>& objects) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    state_.digest.add_enable(sender.number(), objects[i]);
    const auto refusal = try_change(sender, objects[i], [&] { return state_.world.enable(objects[i]); });
    if (!refusal) continue;
    refuse(sender, *refusal, objects[i],
           [&] { return describe_object(*refusal, indexed_field("enables", i), objects[i]); });
  }
}

void FrameApplier::despawn(Sender sender, const std::vector<ObjectId>& objects) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    state_.digest.add_despawn(sender.number(), objects[i]);
    const auto refusal = try_change(sender, objects[i], [&] {
      state_.owners.remove(objects[i]);
      return state_.world.despawn(objects[i]);
    });
    if (!refusal) continue;
    refuse(sender, *refusal, objects[i],
           [&] { return describe_object(*refusal, indexed_field("despawns", i), objects[i]); });
  }
}

}  // namespace sweepd::match
