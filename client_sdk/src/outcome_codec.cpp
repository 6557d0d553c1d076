// SPDX-License-Identifier: MIT
#include "outcome_codec.h"

#include "object_codec.h"
#include "shape_codec.h"

namespace sweepd::internal {

void encode_outcome(const MatchConfig& config, v1::MatchConfig* out) {
  for (const CollidingLayers& pair : config.collides) {
    v1::CollidingLayers* message = out->add_collides();
    message->set_layer_a(pair.layer_a);
    message->set_layer_b(pair.layer_b);
    message->set_sensor(pair.sensor);
    message->set_damage_interval_ticks(pair.damage_interval_ticks);
    message->set_by_claims(pair.by_claims);
  }
  for (const std::string& layer : config.clearable_layers) out->add_clearable_layers(layer);
  out->mutable_ruleset()->set_name(config.ruleset.name);
  out->mutable_ruleset()->set_version(config.ruleset.version);
  out->set_seed(config.seed);
  out->set_stage_handover(config.stage_handover == StageHandover::kNone ? v1::STAGE_HANDOVER_NONE
                                                                        : v1::STAGE_HANDOVER_LOWEST_NUMBER);
}

void decode_outcome(const v1::MatchConfig& config, MatchConfig* out) {
  for (const v1::CollidingLayers& pair : config.collides()) {
    out->collides.push_back({.layer_a = pair.layer_a(),
                             .layer_b = pair.layer_b(),
                             .sensor = pair.sensor(),
                             .damage_interval_ticks = pair.damage_interval_ticks(),
                             .by_claims = pair.by_claims()});
  }
  out->clearable_layers.assign(config.clearable_layers().begin(), config.clearable_layers().end());
  out->ruleset = {.name = config.ruleset().name(), .version = config.ruleset().version()};
  out->seed = config.seed();
  out->stage_handover = config.stage_handover() == v1::STAGE_HANDOVER_LOWEST_NUMBER
                            ? StageHandover::kLowestNumber
                            : StageHandover::kNone;
}

Checked encode(const Selection& selection, std::uint32_t layer_count, v1::Selection* out) {
  for (std::size_t i = 0; i < selection.layers.size(); ++i) {
    if (auto error = check_layer(selection.layers[i], layer_count)) {
      error->field.clear();  // The element itself, not a field of it.
      return std::move(*error).at(i).within("layers");
    }
    out->add_layers(selection.layers[i]);
  }
  if (!selection.region) return {};
  if (auto error = encode(*selection.region, out->mutable_region()))
    return std::move(*error).within("region");
  return {};
}

OwnerChange decode(const v1::OwnerChange& change) {
  return {.from = change.from_participant(),
          .to = change.to_participant(),
          .with_stage = change.with_stage(),
          .objects = {change.object_ids().begin(), change.object_ids().end()},
          .tick = change.tick()};
}

Destruction decode(const v1::Destruction& destruction) {
  return {.object = destruction.object_id(),
          .by_object = destruction.by_object_id(),
          .owner = destruction.owner(),
          .by_owner = destruction.by_owner(),
          .layer = destruction.layer(),
          .by_layer = destruction.by_layer(),
          .tick = destruction.tick()};
}

}  // namespace sweepd::internal
