// SPDX-License-Identifier: MIT
#include "tools/sweepctl/moment_text.h"

#include <cstdio>

#include "sweepd/claims.h"
#include "sweepd/types.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/match_text.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

using replay::Moment;
using replay::MomentObject;

/// What texts of events need of a config.
MatchConfig layers_of(const match::MatchConfig& config) {
  MatchConfig layers;
  layers.layers = config.layers;
  return layers;
}

template <typename Contact>
void set_sides(Contact& contact, const collision::EncounterKey& key, const collision::PartPair& parts) {
  contact.object_a = key.object_a;
  contact.object_b = key.object_b;
  contact.layer_a = key.layer_a;
  contact.layer_b = key.layer_b;
  contact.part_a = parts.part_a;
  contact.part_b = parts.part_b;
}

Event told_event(const collision::Event& event) {
  Event told;
  set_sides(told, event.key, event.parts);
  told.sequence_number = event.sequence_number;
  told.tick = event.tick;
  told.kind = event.kind == collision::EventKind::kEnter ? EventKind::kEnter : EventKind::kExit;
  told.reason = static_cast<ExitReason>(event.reason);  // Both are numbered as the contract is.
  told.time_of_impact = event.time_of_impact;
  return told;
}

std::string point_text(collision::Point point) { return units_text(point.x) + ", " + units_text(point.y); }

std::string box_text(const collision::Box& box) {
  return "(" + units_text(box.min_x) + ", " + units_text(box.min_y) + ") to (" + units_text(box.max_x) +
         ", " + units_text(box.max_y) + ")";
}

std::string box_json(const collision::Box& box) {
  return json_array(
      {units_text(box.min_x), units_text(box.min_y), units_text(box.max_x), units_text(box.max_y)});
}

const char* name_of(collision::ShapeKind kind) {
  switch (kind) {
    case collision::ShapeKind::kBox:
      return "box";
    case collision::ShapeKind::kCircle:
      return "circle";
    case collision::ShapeKind::kCapsule:
      return "capsule";
    case collision::ShapeKind::kMask:
      return "mask";
  }
  return "";
}

std::string part_json(const collision::Part& part, const match::MatchConfig& config) {
  JsonObject json;
  json.add("layer", layer_text(config, part.layer)).add("shape", name_of(part.kind));
  json.add_json("box", box_json(part.box));
  const bool is_round =
      part.kind == collision::ShapeKind::kCircle || part.kind == collision::ShapeKind::kCapsule;
  if (is_round) json.add_json("radius", units_text(part.radius));
  return json.text();
}

std::string object_text(const MomentObject& object, const match::MatchConfig& config) {
  const auto& [velocity, acceleration] = object.trajectory.motion;
  std::string text = "object " + std::to_string(object.id) + " of " + std::to_string(object.owner) + " at " +
                     point_text(object.trajectory.position);
  if (velocity != collision::Point{}) text += ", moving by " + point_text(velocity);
  if (acceleration != collision::Point{}) text += ", faster by " + point_text(acceleration);
  if (object.is_disabled) text += ", disabled";
  for (const collision::Part& part : object.parts) {
    text +=
        "; " + visible(layer_text(config, part.layer)) + " " + name_of(part.kind) + " " + box_text(part.box);
  }
  return text;
}

std::string object_json(const MomentObject& object, const match::MatchConfig& config) {
  const auto& [position, motion] = object.trajectory;
  std::vector<std::string> parts;
  for (const collision::Part& part : object.parts) parts.push_back(part_json(part, config));
  JsonObject json;
  json.add("object", object.id).add("owner", object.owner);
  json.add_json("x", units_text(position.x)).add_json("y", units_text(position.y));
  json.add_json("velocity_x", units_text(motion.velocity.x));
  json.add_json("velocity_y", units_text(motion.velocity.y));
  json.add_json("acceleration_x", units_text(motion.acceleration.x));
  json.add_json("acceleration_y", units_text(motion.acceleration.y));
  json.add_json("disabled", object.is_disabled ? "true" : "false");
  return json.add_json("parts", json_array(parts)).text();
}

void add_evidence(JsonObject& json, const match::ClaimEvidence& evidence, const match::MatchConfig& config) {
  json.add_json("margin", units_text(evidence.margin));
  json.add("shot_part", evidence.shot_part).add("target_part", evidence.target_part);
  json.add("shot_layer", layer_text(config, evidence.shot_layer));
  json.add("target_layer", layer_text(config, evidence.target_layer));
  json.add_json("shot_box", box_json(evidence.shot_box));
  json.add_json("target_box", box_json(evidence.target_box));
}

std::string claim_json(const Moment& moment, const match::ClaimVerdict& verdict,
                       const match::MatchConfig& config) {
  const match::HitClaim& claim = verdict.claim;
  JsonObject json;
  json.add("tick", moment.tick).add("claimant", verdict.claimant).add("number", claim.number);
  json.add("verdict", verdict_name(verdict.verdict)).add("shot", claim.shot).add("target", claim.target);
  json.add("tick_seen", claim.tick_seen).add("tick_judged", verdict.tick_judged);
  json.add_json("tolerance", units_text(verdict.tolerance));
  if (verdict.delay_ticks) json.add("delay_ticks", *verdict.delay_ticks);
  if (verdict.window_ticks) json.add("window_ticks", *verdict.window_ticks);
  json.add_json("has_struck", verdict.has_struck ? "true" : "false");
  if (verdict.evidence) add_evidence(json, *verdict.evidence, config);
  return json.text();
}

bool is_about(const collision::EncounterKey& key, match::ObjectId only) {
  return only == 0 || key.object_a == only || key.object_b == only;
}

}  // namespace

std::string units_text(std::int64_t subunits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.10g", static_cast<double>(subunits) / 256);
  return text;
}

std::string verdict_name(match::Verdict verdict) {
  return to_string(static_cast<Verdict>(verdict));  // Both are numbered as the contract is.
}

std::string layer_text(const match::MatchConfig& config, collision::LayerId layer) {
  return layer < config.layers.size() ? config.layers[layer] : "layer " + std::to_string(layer);
}

std::string participant_text(const Moment& moment, match::ParticipantNumber number) {
  for (const match::Participant& participant : moment.participants) {
    if (participant.number == number)
      return base::quoted(participant.name) + " (" + std::to_string(number) + ")";
  }
  return "participant " + std::to_string(number);
}

std::string claim_text(const Moment& moment, const match::ClaimVerdict& verdict) {
  const match::HitClaim& claim = verdict.claim;
  std::string text = "claim " + std::to_string(claim.number) + " of " +
                     participant_text(moment, verdict.claimant) + ": shot " + std::to_string(claim.shot) +
                     " at " + std::to_string(claim.target) + ", " + verdict_name(verdict.verdict);
  if (verdict.evidence) text += ", margin " + units_text(verdict.evidence->margin);
  text += ", tolerance " + units_text(verdict.tolerance);
  if (verdict.tick_judged != 0) text += ", judged at tick " + std::to_string(verdict.tick_judged);
  text += ", seen at tick " + std::to_string(claim.tick_seen);
  if (verdict.delay_ticks) text += ", delay " + std::to_string(*verdict.delay_ticks) + " ticks";
  return verdict.has_struck ? text + ", has struck" : text;
}

MomentLines world_lines(const Moment& moment, const match::MatchConfig& config, match::ObjectId only) {
  MomentLines lines;
  for (const MomentObject& object : moment.objects) {
    if (only != 0 && object.id != only) continue;
    lines.text.push_back(object_text(object, config));
    lines.json.push_back(object_json(object, config));
  }
  return lines;
}

MomentLines encounter_lines(const Moment& moment, const match::MatchConfig& config, match::ObjectId only) {
  const MatchConfig layers = layers_of(config);
  MomentLines lines;
  for (const collision::Encounter& encounter : moment.encounters) {
    if (!is_about(encounter.key, only)) continue;
    Encounter told;
    set_sides(told, encounter.key, encounter.parts);
    told.since_tick = encounter.since_tick;
    lines.text.push_back(encounter_text(told, layers));
    lines.json.push_back(encounter_json(told, layers));
  }
  return lines;
}

MomentLines event_lines(const Moment& moment, const match::MatchConfig& config, match::ObjectId only) {
  const MatchConfig layers = layers_of(config);
  MomentLines lines;
  for (const collision::Event& event : moment.events) {
    if (!is_about(event.key, only)) continue;
    const Event told = told_event(event);
    lines.text.push_back(event_text(told, layers));
    lines.json.push_back(event_json(told, layers));
  }
  return lines;
}

MomentLines claim_lines(const Moment& moment, const match::MatchConfig& config, match::ObjectId only) {
  MomentLines lines;
  for (const match::ClaimVerdict& verdict : moment.claims) {
    if (only != 0 && verdict.claim.shot != only && verdict.claim.target != only) continue;
    lines.text.push_back("t=" + std::to_string(moment.tick) + " " + claim_text(moment, verdict));
    lines.json.push_back(claim_json(moment, verdict, config));
  }
  return lines;
}

MomentLines score_lines(const Moment& moment, const match::MatchConfig&, match::ObjectId) {
  MomentLines lines;
  for (const match::Score& score : moment.scores) {
    lines.text.push_back(base::quoted(score.name) + " " + std::to_string(score.score) +
                         (score.has_left ? ", has left" : ""));
    JsonObject json;
    json.add("tick", moment.tick).add("participant", score.participant).add("name", score.name);
    json.add("score", score.score).add_json("has_left", score.has_left ? "true" : "false");
    lines.json.push_back(json.text());
  }
  return lines;
}

}  // namespace sweepd::tools
