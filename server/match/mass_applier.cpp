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

}  // namespace

MassApplier::MassApplier(FrameApplierState state, const MatchConfig& config)
    : state_(state),
      context_{.tick = 0,
               .layer_count = static_cast<std::uint32_t>(config.layers.size()),
               .objects_per_participant_max = config.objects_per_participant_max,
               .masks = config.masks},
      clearable_layers_(layer_set_of(config, config.clearable_layers)) {}

template <typename Describe>
void MassApplier::refuse(Sender sender, RejectionReason reason, ObjectId object, const Describe& describe) {
  sender.participant.count_rejection(reason);
  state_.rejections.add(sender.participant.number, [&] {
    RefusalText text = describe();
    return Rejection{sender.participant.number, state_.world.tick() + 1,
                     sender.frame_tick,         reason,
                     std::move(text.field),     object,
                     std::move(text.message)};
  });
}

bool MassApplier::count(Sender sender, const char* list, std::size_t index) {
  if (counted_tick_ != state_.world.tick() + 1) counts_.fill(0);
  counted_tick_ = state_.world.tick() + 1;
  const std::uint32_t count = ++counts_[sender.participant.number];
  if (count <= kMassChangesMax) return true;
  refuse(sender, RejectionReason::kTooManyMassChanges, 0, [&] {
    return RefusalText{indexed_field(list, index),
                       "is number " + std::to_string(count) +
                           " of the participant's selections and transfers in this "
                           "tick; at most " +
                           std::to_string(kMassChangesMax)};
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

/// Ascending, as what is asked of the world is sorted.
std::vector<ObjectId> MassApplier::select(const Participant& sender, const Selection& selection) const {
  const collision::Box region = selection.region.value_or(collision::kWholeRange);
  std::vector<ObjectId> selected;
  for (const collision::PartName& name :
       state_.world.queries().in_region(region, layer_set(selection.layers))) {
    if (!selected.empty() && selected.back() == name.object) continue;
    const auto object = state_.world.find(name.object);
    SWEEPD_ASSERT(object.has_value());
    const bool is_clearable = (clearable_layers_ >> object->parts[name.part].layer & 1) != 0;
    if (object->owner == sender.number || is_clearable) selected.push_back(name.object);
  }
  return selected;
}

template <typename Act>
void MassApplier::for_selected(Sender sender, const char* list, std::size_t index, const Selection& selection,
                               const Act& act) {
  if (!count(sender, list, index)) return;
  RejectionReason reason{};
  if (const auto fault = fault_of(selection, indexed_field(list, index), &reason)) {
    return refuse(sender, reason, 0, [&] { return *fault; });
  }
  for (const ObjectId object : select(sender.participant, selection)) act(object);
}

void MassApplier::freeze(Sender sender, const std::vector<Selection>& selections) {
  for (std::size_t i = 0; i < selections.size(); ++i) {
    state_.digest.add_freeze(sender.participant.number, selections[i]);
    for_selected(sender, "freezes", i, selections[i], [this](ObjectId id) { state_.world.freeze(id); });
  }
}

void MassApplier::release(Sender sender, const std::vector<Selection>& selections) {
  for (std::size_t i = 0; i < selections.size(); ++i) {
    state_.digest.add_release(sender.participant.number, selections[i]);
    for_selected(sender, "releases", i, selections[i], [this](ObjectId id) { state_.world.release(id); });
  }
}

void MassApplier::despawn(Sender sender, const std::vector<Selection>& selections) {
  for (std::size_t i = 0; i < selections.size(); ++i) {
    state_.digest.add_mass_despawn(sender.participant.number, selections[i]);
    for_selected(sender, "mass_despawns", i, selections[i], [this](ObjectId id) {
      state_.owners.remove(id);
      state_.world.despawn(id);
    });
  }
}

void MassApplier::scroll(Sender sender, const std::optional<collision::Point>& origin) {
  if (!origin) return;
  state_.digest.add_scroll(sender.participant.number, *origin);
  if (!sender.participant.acts_as_stage) {
    return refuse(sender, RejectionReason::kNotAllowed, 0, [] {
      return RefusalText{"scroll", "only who acts as a stage may scroll the playfield"};
    });
  }
  if (state_.world.scroll_to(*origin)) return;
  refuse(sender, RejectionReason::kOutOfRange, 0, [&] {
    return RefusalText{"scroll", "would move the playfield by " + std::to_string(origin->x) + ", " +
                                     std::to_string(origin->y) + ", out of the range of coordinates"};
  });
}

void MassApplier::transfer(Sender sender, const std::vector<Transfer>& transfers) {
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    state_.digest.add_transfer(sender.participant.number, transfers[i]);
    transfer(sender, i, transfers[i]);
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
  if (change.with_stage || !change.objects.empty()) state_.owner_changes.push_back(std::move(change));
}

/// Only from the stage: else anybody could fill up anybody's limit, or have others pay for what they collide
/// with.
bool MassApplier::check_transfer(Sender sender, const std::string& field, const Transfer& transfer) {
  if (!sender.participant.acts_as_stage) {
    refuse(sender, RejectionReason::kNotAllowed, 0, [&] {
      return RefusalText{field, "only who acts as a stage may hand over objects or the stage"};
    });
    return false;
  }
  const Seat* receiver = state_.seats.find(transfer.to);
  if (receiver != nullptr && receiver->may_change()) return true;
  refuse(sender, RejectionReason::kNotAParticipant, 0, [&] {
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
      refuse(sender, refusal->reason, object, [&] {
        std::string object_field = is_all ? field : field + ".object_ids[" + std::to_string(i) + "]";
        return describe_transfer(*refusal, transfer, std::move(object_field), object);
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
