// SPDX-License-Identifier: MIT
#include "match/frame_applier.h"

#include "base/assert.h"
#include "match/part_preparer.h"

namespace sweepd::match {
namespace {

/// Makes the changes of one frame, each of which has an index in the list of its kind.
class ChangeMaker {
  using enum FrameChange;

 public:
  ChangeMaker(const FrameApplierState& state, const RefusalContext& context, MassApplier& mass,
              ClaimDesk& claims, Sender sender, const Frame& frame, bool hides_others)
      : state_(state),
        context_(context),
        mass_(mass),
        claims_(claims),
        sender_(sender),
        frame_(frame),
        are_moves_limited_(state.limits.has_any_for_moves()),
        hides_others_(hides_others) {}

  void apply(OfKind<kSpawn>, std::size_t index, collision::ObjectSpec& spec) {
    refuse_if(try_spawn(spec), spec.id, [&](const Refusal& refusal) {
      return describe_spawn(refusal, index, spec, sender_.participant, context_);
    });
  }

  void apply(OfKind<kReshape>, std::size_t index, Reshape& reshape) {
    refuse_if(try_reshape(reshape), reshape.object, [&](const Refusal& refusal) {
      const auto object = state_.world.find(reshape.object);
      const auto position = object ? std::optional(object->position) : std::nullopt;
      return describe_reshape(refusal, index, reshape, position, context_);
    });
  }

  void apply(OfKind<kLayerChange>, std::size_t index, const LayerChange& change) {
    const auto refusal = try_limited(
        change.object, [&] { return state_.limits.judge_layer_change(sender_.participant, change); },
        [&] { return state_.world.change_layer(change.object, change.part, change.layer); });
    refuse_if(refusal, change.object, [&](const Refusal& why) {
      return describe_layer_change(why, index, change, parts_of(change.object).size(), context_);
    });
  }

  void apply(OfKind<kMove>, std::size_t index, const Move& move) {
    refuse_if(try_move(move), move.object, [&](const Refusal& refusal) {
      return describe_move(refusal, index, frame_.relative_moves, move, parts_of(move.object));
    });
  }

  void apply(OfKind<kTeleport>, std::size_t index, const Move& teleport) {
    const auto refusal = try_limited(
        teleport.object, [&] { return state_.limits.judge_teleport(sender_.participant, teleport); },
        [&] { return state_.world.teleport_to(teleport.object, teleport.position); });
    refuse_if(refusal, teleport.object, [&](const Refusal& why) {
      return describe_teleport(why, index, teleport, parts_of(teleport.object));
    });
  }

  void apply(OfKind<kMotion>, std::size_t index, const MotionChange& change) {
    const auto refusal = try_limited(
        change.object, [&] { return state_.limits.judge_motion(change); },
        [&] { return state_.world.set_motion(change.object, change.motion); });
    refuse_if(refusal, change.object,
              [&](const Refusal& why) { return describe_motion(why, index, change); });
  }

  void apply(OfKind<kFreeze> kind, std::size_t index, const Selection& selection) {
    const std::string field = indexed_field(kind.list, index);
    for (const ObjectId id : mass_.select(sender_, kind.list, index, selection)) {
      const bool own = is_own(id);
      const auto refusal = state_.limits.judge_freeze(id, own);
      if (!refusal) state_.world.freeze(id);
      // What others have, and may be hidden, is left out as if it were on no clearable layer.
      if (!own && hides_others_) continue;
      refuse_if(refusal, id, [&](const Refusal& why) { return describe_object(why, field, id); });
    }
  }

  void apply(OfKind<kRelease> kind, std::size_t index, const Selection& selection) {
    for (const ObjectId id : mass_.select(sender_, kind.list, index, selection)) state_.world.release(id);
  }

  void apply(OfKind<kDisable>, std::size_t index, const Disable& disable) {
    const Tick until_tick = disable.until_tick == 0 ? collision::kForever : disable.until_tick;
    const auto refusal = try_change(disable.object, [&]() -> std::optional<Refusal> {
      if (auto why = state_.limits.judge_disable(sender_.participant, disable)) return why;
      if (auto why = refusal_of(state_.world.disable_until(disable.object, until_tick))) return why;
      state_.limits.accept_disable(sender_.participant, disable.object);
      return std::nullopt;
    });
    refuse_if(refusal, disable.object,
              [&](const Refusal& why) { return describe_disable(why, index, disable, context_); });
  }

  void apply(OfKind<kEnable> kind, std::size_t index, ObjectId object) {
    const auto refusal = try_change(object, [&] { return refusal_of(state_.world.enable(object)); });
    refuse_if(refusal, object, [&](const Refusal& why) {
      return describe_object(why, indexed_field(kind.list, index), object);
    });
  }

  void apply(OfKind<kTransfer>, std::size_t index, const Transfer& transfer) {
    mass_.transfer(sender_, index, transfer);
  }

  void apply(OfKind<kDespawn> kind, std::size_t index, ObjectId object) {
    const auto refusal = try_change(object, [&] { return despawn(object); });
    refuse_if(refusal, object, [&](const Refusal& why) {
      return describe_object(why, indexed_field(kind.list, index), object);
    });
  }

  void apply(OfKind<kMassDespawn> kind, std::size_t index, const Selection& selection) {
    for (const ObjectId id : mass_.select(sender_, kind.list, index, selection)) despawn(id);
  }

  void apply(OfKind<kScroll>, std::size_t, collision::Point origin) { mass_.scroll(sender_, origin); }

  void apply(OfKind<kClaim>, std::size_t index, const HitClaim& claim) {
    claims_.apply(sender_, {sender_.number(), frame_.arrival_tick, frame_.delay_ticks}, index, claim);
  }

  void apply(OfKind<kMessage> kind, std::size_t index, const AppMessage& message) {
    if (const auto fault = fault_of(message)) {
      return state_.refuse(sender_, RejectionReason::kNotAParticipant, 0, [&] {
        return RefusalText{indexed_field(kind.list, index) + fault->field, fault->description};
      });
    }
    state_.facts.messages.push_back({sender_.number(), message});
  }

 private:
  std::optional<FieldError> fault_of(const AppMessage& message) const {
    const std::string number = std::to_string(message.number);
    if (message.to == AppMessage::To::kParticipant && state_.seats.find(message.number) == nullptr)
      return FieldError{".to_participant", "no participant of the match has the number " + number};
    constexpr Range kRoles = numbers_of(Role());
    const bool is_role = message.number >= kRoles.min && message.number <= kRoles.max;
    if (message.to == AppMessage::To::kRole && !is_role)
      return FieldError{".to_role", number + " is no role"};
    return std::nullopt;
  }

  std::optional<Refusal> try_spawn(collision::ObjectSpec& spec) {
    const Participant& participant = sender_.participant;
    if (!participant.has_in_block(spec.id)) return Refusal{RejectionReason::kIdOutOfBlock};
    if (auto refusal = state_.limits.judge_spawn(participant, spec)) return refusal;
    if (auto refusal = prepare_parts(spec.parts, context_.masks)) return refusal;
    if (auto refusal = refusal_of(state_.world.spawn(spec))) return refusal;
    state_.owners.add({sender_.number(), static_cast<std::uint32_t>(spec.parts.size())});
    state_.limits.accept_spawn(participant, spec);
    return std::nullopt;
  }

  std::optional<Refusal> try_reshape(Reshape& reshape) {
    const auto judge = [&] {
      const auto part_at_fault = prepare_parts(reshape.parts, context_.masks);
      return part_at_fault ? part_at_fault
                           : state_.limits.judge_reshape(sender_.participant, reshape.object, reshape.parts);
    };
    std::size_t parts_before = 0;
    const auto refusal = try_limited(reshape.object, judge, [&] {
      parts_before = state_.owners.part_count_in(reshape.object);
      return state_.world.reshape(reshape.object, reshape.parts);
    });
    if (!refusal) state_.owners.change_parts(sender_.number(), parts_before, reshape.parts.size());
    return refusal;
  }

  /// Whom rules of visibility hide things from learns nothing of what others have, not even that it is there.
  Refusal not_own(std::optional<ParticipantNumber> owner) const {
    return Refusal{owner && !hides_others_ ? RejectionReason::kNotOwner : RejectionReason::kUnknownObject};
  }

  /// As all other changes, but quicker: most of what frames hold are moves.
  std::optional<Refusal> try_move(const Move& move) {
    const auto [owner, slot] = state_.owners.find_next(move.object);
    if (slot == collision::kNoSlot) return not_own(std::nullopt);
    if (owner != sender_.number()) return not_own(owner);
    const bool is_limited = are_moves_limited_ && state_.limits.has_any_for_moves_at(slot);
    if (is_limited) {
      if (std::optional<Refusal> refusal = state_.limits.judge_move(move, slot)) return refusal;
    }
    const collision::ChangeResult result = state_.world.move_to(move.object, move.position);
    if (!result.ok()) return refusal_of(result);
    if (is_limited) accept(move.object);
    return std::nullopt;
  }

  /// Makes a change to an object, which only its owner may.
  template <typename Change>
  std::optional<Refusal> try_change(ObjectId object, const Change& change) {
    const std::optional<ParticipantNumber> owner = state_.owners.owner_of(object);
    if (owner != sender_.number()) return not_own(owner);
    return change();
  }

  /// The same for a change that limits are for.
  template <typename Judge, typename Change>
  std::optional<Refusal> try_limited(ObjectId object, const Judge& judge, const Change& change) {
    return try_change(object, [&]() -> std::optional<Refusal> {
      if (auto refusal = judge()) return refusal;
      if (auto refusal = refusal_of(change())) return refusal;
      accept(object);
      return std::nullopt;
    });
  }

  void accept(ObjectId object) {
    if (state_.limits.accept()) state_.world.sweep(object);
  }

  std::optional<Refusal> despawn(ObjectId object) {
    state_.owners.remove(object);
    return refusal_of(state_.world.despawn(object));
  }

  bool is_own(ObjectId object) const { return state_.owners.owner_of(object) == sender_.number(); }

  /// Until the next change; none where there is no such object.
  std::span<const collision::Part> parts_of(ObjectId object) const {
    const auto view = state_.world.find(object);
    return view ? view->parts : std::span<const collision::Part>();
  }

  template <typename Describe>
  void refuse_if(const std::optional<Refusal>& refusal, ObjectId object, const Describe& describe) {
    if (!refusal) [[likely]]
      return;
    state_.refuse(sender_, *refusal, object, context_, describe);
  }

  const FrameApplierState& state_;
  const RefusalContext& context_;
  MassApplier& mass_;
  ClaimDesk& claims_;
  const Sender sender_;
  const Frame& frame_;
  const bool are_moves_limited_;
  const bool hides_others_;
};

}  // namespace

FrameApplier::FrameApplier(FrameApplierState state, ClaimDesk& claims, const MatchConfig& config)
    : state_(state),
      claims_(claims),
      context_{.tick = 0,
               .layer_count = static_cast<std::uint32_t>(config.layers.size()),
               .objects_per_participant_max = config.objects_per_participant_max,
               .masks = config.masks,
               .templates = config.templates},
      mass_(state, config),
      visibility_(config),
      keeps_tags_(config.object_tags) {}

void FrameApplier::apply(Participant& participant, Frame& frame) {
  SWEEPD_ASSERT(participant.role != Role::kObserver);
  SWEEPD_ASSERT(frame.relative_moves <= frame.moves.size());
  context_.tick = state_.world.tick() + 1;
  // As the world gets them: so they are hashed. What is wrong with one is found when it applies.
  for (collision::ObjectSpec& spec : frame.spawns) {
    spec.owner = participant.number;
    if (!keeps_tags_) spec.tag = 0;
    prepare_parts(spec.parts, context_.masks);
  }
  for (Reshape& reshape : frame.reshapes) prepare_parts(reshape.parts, context_.masks);
  state_.digest.begin_frame(frame, participant.number);
  claims_.note_delay({participant.number, frame.arrival_tick, frame.delay_ticks});
  const bool hides_others = visibility_.hides_any(participant.role) && !participant.acts_as_stage;
  ChangeMaker maker(state_, context_, mass_, claims_, {participant, frame.tick}, frame, hides_others);
  for_each_kind(frame, [&](auto kind, auto& list) {
    std::size_t index = 0;
    for (auto& change : changes_in(list)) {
      const std::uint64_t rejections_before = participant.rejections;
      maker.apply(kind, index++, change);
      state_.digest.end_change(kind.kind, change, participant.rejections == rejections_before);
    }
  });
  state_.digest.end_frame();
}

}  // namespace sweepd::match
