// SPDX-License-Identifier: MIT
#include "match/mass_applier.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/assert.h"
#include "match/limit_refusal.h"
#include "match/part_refusal.h"
#include "match/world_config.h"

namespace sweepd::match {
namespace {

constexpr std::uint64_t kAllLayers = ~std::uint64_t{0};

std::uint64_t layer_set(const std::vector<std::uint32_t>& layers) {
  if (layers.empty()) return kAllLayers;
  std::uint64_t set = 0;
  for (const std::uint32_t layer : layers) set |= std::uint64_t{1} << layer;
  return set;
}

constexpr std::size_t kOnlyOne = ~std::size_t{0};  ///< For an index: a frame has one of it.

std::string name_of_change(const char* list, std::size_t index) {
  return index == kOnlyOne ? std::string(list) : indexed_field(list, index);
}

}  // namespace

MassApplier::MassApplier(FrameApplierState state, const MatchConfig& config)
    : state_(state),
      context_{.tick = 0,
               .layer_count = static_cast<std::uint32_t>(config.layers.size()),
               .objects_per_participant_max = config.objects_per_participant_max,
               .masks = config.masks,
               .templates = config.templates},
      selected_objects_max_(config.budgets.selected_objects_max),
      clearable_layers_(layer_set_of(config, config.clearable_layers)) {}

bool MassApplier::count(Sender sender, const char* list, std::size_t index) {
  if (counted_tick_ != state_.world.tick() + 1) {
    counts_.fill(0);
    objects_counted_.fill(0);
    objects_counted_of_all_ = 0;
  }
  counted_tick_ = state_.world.tick() + 1;
  const std::uint32_t count = ++counts_[sender.participant.number];
  if (count <= kMassChangesMax) return count_objects(sender, list, index);
  state_.refuse(sender, RejectionReason::kTooManyMassChanges, 0, [&] {
    return RefusalText{name_of_change(list, index),
                       "is number " + std::to_string(count) +
                           " of the participant's selections and transfers in this "
                           "tick; at most " +
                           std::to_string(kMassChangesMax)};
  });
  return false;
}

/// As many as there are: what a selection looks at it cannot know before.
bool MassApplier::count_objects(Sender sender, const char* list, std::size_t index) {
  if (!selected_objects_max_) return true;
  const std::uint64_t objects = state_.world.object_count();
  const std::uint64_t own = objects_counted_[sender.participant.number] + objects;
  const std::uint64_t of_all = objects_counted_of_all_ + objects;
  const std::uint64_t of_all_max = std::uint64_t{kSelectingParticipants} * *selected_objects_max_;
  if (own <= *selected_objects_max_ && of_all <= of_all_max) {
    objects_counted_[sender.participant.number] = own;
    objects_counted_of_all_ = of_all;
    return true;
  }
  state_.refuse(sender, RejectionReason::kTooManyMassChanges, 0, [&] {
    return RefusalText{name_of_change(list, index),
                       "would have the participant's selections and transfers look at " +
                           std::to_string(own) + " objects in this tick, and those of all at " +
                           std::to_string(of_all) + "; at most " + std::to_string(*selected_objects_max_) +
                           " and " + std::to_string(of_all_max) +
                           " are allowed (budgets.selected_objects_max)",
                       BrokenRule{"budgets.selected_objects_max", "", own, *selected_objects_max_}};
  });
  return false;
}

std::optional<RefusalText> MassApplier::fault_of(const Selection& selection, const std::string& field,
                                                 RejectionReason* reason) const {
  for (std::size_t i = 0; i < selection.layers.size(); ++i) {
    if (selection.layers[i] < context_.layer_count) continue;
    *reason = RejectionReason::kUnknownLayer;
    return RefusalText{field + ".layers[" + std::to_string(i) + "]",
                       describe_layer(std::to_string(selection.layers[i]), context_)};
  }
  if (!selection.region || !collision::is_inverted(*selection.region)) return std::nullopt;
  const collision::Box& box = *selection.region;
  const bool is_x = box.min_x > box.max_x;
  *reason = RejectionReason::kInvertedBox;
  return RefusalText{field + (is_x ? ".region.min_x" : ".region.min_y"),
                     "is " + std::to_string(is_x ? box.min_x : box.min_y) + ", more than the maximum, " +
                         std::to_string(is_x ? box.max_x : box.max_y)};
}

std::vector<ObjectId> MassApplier::find(const Participant& sender, const Rights& rights,
                                        const Selection& selection) const {
  const collision::Box region = selection.region.value_or(collision::kWholeRange);
  return state_.world.queries().objects_in(region, layer_set(selection.layers) & rights.selection_layers,
                                           {.owner = sender.number, .layers = clearable_layers_});
}

std::vector<ObjectId> MassApplier::select(Sender sender, const char* list, std::size_t index,
                                          const Selection& selection) {
  if (!count(sender, list, index)) return {};
  RejectionReason reason{};
  if (const auto fault = fault_of(selection, indexed_field(list, index), &reason)) {
    state_.refuse(sender, reason, 0, [&] { return *fault; });
    return {};
  }
  const Rights& rights = state_.limits.rights_of(sender.participant);
  if (auto objection = state_.selections.judge(sender.number(), rights, selection)) {
    state_.refuse(sender, objection->reason, 0, [&] {
      return RefusalText{indexed_field(list, index) + objection->part,
                         objection->message + " (" + objection->broken_rule.rule + ")",
                         objection->broken_rule};
    });
    return {};
  }
  state_.selections.accept(sender.number(), rights);
  return find(sender.participant, rights, selection);
}

void MassApplier::scroll(Sender sender, collision::Point origin) {
  if (!sender.participant.acts_as_stage) {
    return state_.refuse(sender, RejectionReason::kNotAllowed, 0, [] {
      return RefusalText{"scroll", "only who acts as a stage may scroll the playfield"};
    });
  }
  if (!may_carry_along(sender)) return;
  if (state_.world.scroll_to(origin)) return carry_along();
  state_.refuse(sender, RejectionReason::kOutOfRange, 0, [&] {
    return RefusalText{"scroll", "would move the playfield by " + std::to_string(origin.x) + ", " +
                                     std::to_string(origin.y) + ", out of the range of coordinates"};
  });
}

// It walks over all objects: once a tick for the stage, further ones count as selections do.
bool MassApplier::may_carry_along(Sender sender) {
  if (state_.limits.carried_layers() == 0) return true;
  const Tick tick = state_.world.tick() + 1;
  return std::exchange(scrolled_in_, tick) != tick || count(sender, "scroll", kOnlyOne);
}

void MassApplier::carry_along() {
  const std::uint64_t layers = state_.limits.carried_layers();
  if (layers == 0) return;
  for (const ObjectId object : state_.world.queries().objects_on(layers)) {
    if (const auto inside = state_.limits.place_inside(*state_.world.find(object)))
      state_.world.move_to(object, *inside);
  }
}

void MassApplier::transfer(Sender sender, std::size_t index, const Transfer& transfer) {
  const std::string field = indexed_field("transfers", index);
  if (!count(sender, "transfers", index) || !check_transfer(sender, field, transfer)) return;
  OwnerChange change{.from = sender.participant.number, .to = transfer.to, .with_stage = transfer.with_stage};
  change.objects = hand_over_objects(sender, field, transfer);
  if (transfer.to == sender.participant.number) return;
  if (transfer.with_stage) {
    sender.participant.acts_as_stage = false;
    state_.seats.find(transfer.to)->participant.acts_as_stage = true;
  }
  if (change.with_stage || !change.objects.empty()) state_.facts.owner_changes.push_back(std::move(change));
}

/// Only from the stage: else a player could fill up another's limit, or have others pay for what they collide
/// with.
bool MassApplier::check_transfer(Sender sender, const std::string& field, const Transfer& transfer) {
  if (!sender.participant.acts_as_stage) {
    state_.refuse(sender, RejectionReason::kNotAllowed, 0, [&] {
      return RefusalText{field, "only who acts as a stage may hand over objects or the stage"};
    });
    return false;
  }
  const Seat* receiver = state_.seats.find(transfer.to);
  if (receiver != nullptr && receiver->may_change()) return true;
  state_.refuse(sender, RejectionReason::kNotAParticipant, 0, [&] {
    return RefusalText{field + ".to_participant",
                       "no player or stage of the match has the number " + std::to_string(transfer.to)};
  });
  return false;
}

std::optional<Refusal> MassApplier::refusal_of_transfer(const Transfer& transfer, ParticipantNumber from,
                                                        ObjectId object) const {
  const std::optional<ParticipantNumber> owner = state_.owners.owner_of(object);
  if (!owner) return Refusal{RejectionReason::kUnknownObject};
  if (*owner != from) return Refusal{RejectionReason::kNotOwner};
  if (transfer.to == from) return std::nullopt;
  return state_.limits.judge_transfer(state_.seats.find(transfer.to)->participant, object);
}

RefusalText MassApplier::describe_transfer(const Refusal& refusal, const Transfer& transfer,
                                           std::string field, ObjectId object) const {
  const std::string receiver = "participant " + std::to_string(transfer.to);
  switch (refusal.reason) {
    case RejectionReason::kUnknownObject:
    case RejectionReason::kNotOwner:
      return describe_object(refusal, std::move(field), object);
    case RejectionReason::kTooManyObjects:
      return {std::move(field), describe_object_count(receiver, refusal, context_)};
    default:
      return {std::move(field), "to " + receiver + ": " + describe_limit(refusal)};
  }
}

/// Each alone: what cannot go stays.
std::vector<ObjectId> MassApplier::hand_over_objects(Sender sender, const std::string& field,
                                                     const Transfer& transfer) {
  const ParticipantNumber from = sender.participant.number;
  const bool is_all = transfer.objects.empty();
  const std::vector<ObjectId> objects = is_all ? state_.world.objects_of(from) : transfer.objects;
  std::vector<ObjectId> handed_over;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const ObjectId object = objects[i];
    if (const auto refusal = refusal_of_transfer(transfer, from, object)) {
      state_.refuse(sender, *refusal, object, context_, [&](const Refusal& why) {
        std::string object_field = is_all ? field : field + ".object_ids[" + std::to_string(i) + "]";
        return describe_transfer(why, transfer, std::move(object_field), object);
      });
    } else {
      state_.owners.transfer(object, transfer.to);
      state_.world.set_owner(object, transfer.to);
      handed_over.push_back(object);
    }
  }
  return handed_over;
}

}  // namespace sweepd::match
