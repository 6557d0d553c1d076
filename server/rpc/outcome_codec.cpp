// SPDX-License-Identifier: MIT
#include "rpc/outcome_codec.h"

#include <string>

namespace sweepd::rpc {
namespace {

static_assert(static_cast<int>(match::StageHandover::kNone) == v1::STAGE_HANDOVER_NONE);
static_assert(static_cast<int>(match::StageHandover::kLowestNumber) == v1::STAGE_HANDOVER_LOWEST_NUMBER);

match::Selection decode_selection(const v1::Selection& message) {
  match::Selection selection;
  selection.layers.assign(message.layers().begin(), message.layers().end());
  if (message.has_region()) {
    const v1::Box& box = message.region();
    selection.region = collision::Box{box.min_x(), box.min_y(), box.max_x(), box.max_y()};
  }
  return selection;
}

void decode_selections(const google::protobuf::RepeatedPtrField<v1::Selection>& messages,
                       std::vector<match::Selection>& selections) {
  for (const v1::Selection& message : messages) selections.push_back(decode_selection(message));
}

}  // namespace

std::optional<match::FieldError> decode_outcome_config(const v1::MatchConfig& message,
                                                       match::MatchConfig& config) {
  for (const v1::CollidingLayers& pair : message.collides()) {
    config.collides.push_back(
        {pair.layer_a(), pair.layer_b(), pair.sensor(), pair.damage_interval_ticks(), pair.by_claims()});
  }
  config.clearable_layers.assign(message.clearable_layers().begin(), message.clearable_layers().end());
  config.ruleset = {message.ruleset().name(), message.ruleset().version()};
  config.seed = message.seed();
  const int handover = message.stage_handover();
  if (handover < 0 || handover > v1::StageHandover_MAX) {
    return match::FieldError{"stage_handover", "unknown value " + std::to_string(handover)};
  }
  if (handover != v1::STAGE_HANDOVER_UNSPECIFIED) {
    config.stage_handover = static_cast<match::StageHandover>(handover);
  }
  return std::nullopt;
}

void encode_outcome_config(const match::MatchConfig& config, v1::MatchConfig& message) {
  for (const match::CollidingLayers& pair : config.collides) {
    v1::CollidingLayers& pair_message = *message.add_collides();
    pair_message.set_layer_a(pair.layer_a);
    pair_message.set_layer_b(pair.layer_b);
    pair_message.set_sensor(pair.sensor);
    pair_message.set_damage_interval_ticks(pair.damage_interval_ticks);
    pair_message.set_by_claims(pair.by_claims);
  }
  for (const std::string& layer : config.clearable_layers) message.add_clearable_layers(layer);
  if (config.ruleset != match::Ruleset{}) {
    message.mutable_ruleset()->set_name(config.ruleset.name);
    message.mutable_ruleset()->set_version(config.ruleset.version);
  }
  message.set_seed(config.seed);
  message.set_stage_handover(static_cast<v1::StageHandover>(config.stage_handover));
}

void decode_mass_changes(const v1::Frame& message, match::Frame& frame) {
  decode_selections(message.freezes(), frame.freezes);
  decode_selections(message.releases(), frame.releases);
  decode_selections(message.mass_despawns(), frame.mass_despawns);
  for (const v1::Transfer& transfer : message.transfers()) {
    match::Transfer& decoded = frame.transfers.emplace_back();
    decoded.objects.assign(transfer.object_ids().begin(), transfer.object_ids().end());
    decoded.to = transfer.to_participant();
    decoded.with_stage = transfer.with_stage();
  }
  if (message.has_scroll()) frame.scroll = collision::Point{message.scroll().x(), message.scroll().y()};
}

void encode_owner_change(const match::OwnerChange& change, match::Tick tick, v1::OwnerChange& message) {
  message.set_from_participant(change.from);
  message.set_to_participant(change.to);
  message.set_with_stage(change.with_stage);
  message.mutable_object_ids()->Add(change.objects.begin(), change.objects.end());
  message.set_tick(tick);
}

void encode_destruction(const match::Destruction& destruction, match::Tick tick, v1::Destruction& message) {
  message.set_object_id(destruction.what.object);
  message.set_by_object_id(destruction.what.by);
  message.set_owner(destruction.owner);
  message.set_by_owner(destruction.by_owner);
  message.set_layer(destruction.what.layer);
  message.set_by_layer(destruction.what.by_layer);
  message.set_tick(tick);
}

}  // namespace sweepd::rpc
