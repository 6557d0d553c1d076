// SPDX-License-Identifier: MIT
#include "tools/sweepctl/match_text.h"

#include <cstdio>
#include <vector>

#include "base/visible_text.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

std::string layer_name(const MatchConfig& config, std::uint32_t layer) {
  return layer < config.layers.size() ? config.layers[layer] : "layer " + std::to_string(layer);
}

std::string side_text(const MatchConfig& config, ObjectId object, std::uint32_t layer, std::uint32_t part) {
  return visible(layer_name(config, layer)) + " " + std::to_string(object) + " part " + std::to_string(part);
}

// Events and encounters name the same two sides.
template <typename Contact>
std::string sides_text(const Contact& contact, const MatchConfig& config) {
  return side_text(config, contact.object_a, contact.layer_a, contact.part_a) + " / " +
         side_text(config, contact.object_b, contact.layer_b, contact.part_b);
}

template <typename Contact>
void add_sides(JsonObject& json, const Contact& contact, const MatchConfig& config) {
  json.add("object_a", contact.object_a).add("object_b", contact.object_b);
  json.add("layer_a", layer_name(config, contact.layer_a))
      .add("layer_b", layer_name(config, contact.layer_b));
  json.add("part_a", contact.part_a).add("part_b", contact.part_b);
}

const char* role_name(Role role) {
  switch (role) {
    case Role::kPlayer:
      return "player";
    case Role::kStage:
      return "stage";
    case Role::kObserver:
      return "observer";
  }
  return "";
}

const char* clock_kind_name(ClockKind kind) {
  switch (kind) {
    case ClockKind::kRealtime:
      return "realtime";
    case ClockKind::kManual:
      return "manual";
    case ClockKind::kLockstep:
      return "lockstep";
  }
  return "";
}

std::string fixed_text(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string timing_text(const MatchInfo& match) {
  if (!match.timing || match.timing->achieved_rate_hz == 0) return "";
  const std::uint64_t skipped = match.timing->ticks_skipped;
  return ", runs at " + achieved_rate_text(match) + ", " + lateness_text(match) + " late (p99)" +
         (skipped == 0 ? "" : ", " + std::to_string(skipped) + " ticks skipped");
}

std::string timing_json(const TickTiming& timing) {
  JsonObject json;
  json.add_json("achieved_rate_hz", fixed_text(timing.achieved_rate_hz, 3));
  json.add("lateness_p50_us", timing.lateness_p50.count())
      .add("lateness_p99_us", timing.lateness_p99.count());
  json.add("lateness_max_us", timing.lateness_max.count());
  json.add("duration_p50_us", timing.duration_p50.count())
      .add("duration_p99_us", timing.duration_p99.count());
  json.add("ticks_skipped", timing.ticks_skipped).add("loop", timing.loop);
  return json.text();
}

std::string refusals_json(const std::vector<TemplateRefusals>& refusals) {
  std::string list;
  for (const auto& [broken, count] : refusals) {
    JsonObject json;
    json.add("rule", broken.rule).add("template", broken.template_name).add("count", count);
    json.add("found", broken.found).add("limit", broken.limit);
    list += (list.empty() ? "" : ", ") + json.text();
  }
  return "[" + list + "]";
}

std::string participant_json(const Participant& participant) {
  JsonObject json;
  json.add("number", participant.number)
      .add("name", participant.name)
      .add("role", role_name(participant.role));
  json.add("first_id", participant.first_id).add("last_id", participant.last_id);
  json.add("objects", participant.objects).add("rejections", participant.rejections);
  json.add("late_frames", participant.late_frames).add("frames_missed", participant.frames_missed);
  json.add("late_ticks_max", participant.late_ticks_max).add("bunched_frames", participant.bunched_frames);
  if (!participant.rejections_by_reason.empty()) {
    JsonObject counts;
    for (const RejectionCount& count : participant.rejections_by_reason)
      counts.add(count.reason, count.count);
    json.add_json("rejections_by_reason", counts.text());
  }
  if (!participant.template_refusals.empty())
    json.add_json("template_refusals", refusals_json(participant.template_refusals));
  if (participant.acts_as_stage) json.add_json("acts_as_stage", "true");
  return json.text();
}

std::string score_json(const Score& score) {
  JsonObject json;
  json.add("participant", score.participant).add("name", score.name).add("score", score.score);
  if (score.has_left) json.add_json("has_left", "true");
  return json.text();
}

}  // namespace

const char* broadphase_name(BroadphaseKind kind) {
  switch (kind) {
    case BroadphaseKind::kSweepAndPrune:
      return "sap";
    case BroadphaseKind::kBruteForce:
      return "brute";
    case BroadphaseKind::kSectorGrid:
      return "grid";
    case BroadphaseKind::kApproach:
      return "approach";
  }
  return "";
}

const char* state_name(MatchState state) {
  switch (state) {
    case MatchState::kWaiting:
      return "waiting";
    case MatchState::kRunning:
      return "running";
    case MatchState::kPaused:
      return "paused";
    case MatchState::kEnded:
      return "ended";
  }
  return "";
}

std::string clock_name(const MatchInfo& match) {
  switch (match.config.clock) {
    case ClockKind::kRealtime:
      return std::to_string(match.clock.tick_rate_hz) + " Hz";
    case ClockKind::kManual:
      return "manual";
    case ClockKind::kLockstep:
      return "lockstep " + std::to_string(match.config.lockstep.deadline_ms) + " ms";
  }
  return "";
}

std::string digest_text(std::uint64_t digest) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

std::string endpoint_text(const Endpoint& endpoint, const std::string& server) {
  if (endpoint.port == 0 || (endpoint.host.empty() && server.starts_with("unix:"))) return server;
  const std::string host = endpoint.host.empty() ? server.substr(0, server.rfind(':')) : endpoint.host;
  return host + ":" + std::to_string(endpoint.port);
}

std::string achieved_rate_text(const MatchInfo& match) {
  if (!match.timing || match.timing->achieved_rate_hz == 0) return "-";
  return fixed_text(match.timing->achieved_rate_hz, 1) + " Hz";
}

std::string lateness_text(const MatchInfo& match) {
  if (!match.timing || match.timing->achieved_rate_hz == 0) return "-";
  return fixed_text(static_cast<double>(match.timing->lateness_p99.count()) / 1000, 2) + " ms";
}

std::string match_line(const MatchInfo& match) {
  return base::quoted(match.config.name) + ", " + state_name(match.state) + ", tick " +
         std::to_string(match.tick) + ", " + clock_name(match) + ", " +
         std::to_string(match.participants.size()) + " participants, " + std::to_string(match.objects) +
         " objects, " + std::to_string(match.events) + " events" +
         (match.durable_tick == 0 ? "" : ", durable to tick " + std::to_string(match.durable_tick)) +
         (match.lost_ticks == 0 ? ""
                                : ", " + std::to_string(match.lost_ticks) + " durable ticks lost to damage") +
         timing_text(match);
}

std::string scores_text(const MatchInfo& match) {
  std::string text;
  for (const Score& score : match.scores) {
    text += (text.empty() ? "" : ", ") + base::quoted(score.name) + " " + std::to_string(score.score);
  }
  return text;
}

std::string match_json(const MatchInfo& match, const std::string& server) {
  std::vector<std::string> layers;
  for (const std::string& layer : match.config.layers) layers.push_back(json_string(layer));
  std::vector<std::string> collides;
  for (const CollidingLayers& pair : match.config.collides)
    collides.push_back(json_array({json_string(pair.layer_a), json_string(pair.layer_b)}));
  std::vector<std::string> participants;
  for (const Participant& participant : match.participants)
    participants.push_back(participant_json(participant));
  JsonObject json;
  json.add("match_id", match.match_id).add("name", match.config.name).add("state", state_name(match.state));
  json.add("clock", clock_kind_name(match.config.clock));
  if (match.config.clock == ClockKind::kLockstep) json.add("deadline_ms", match.config.lockstep.deadline_ms);
  json.add("tick_rate_hz", match.clock.tick_rate_hz)
      .add("tick", match.tick)
      .add("digest", digest_text(match.digest));
  json.add("durable_tick", match.durable_tick)
      .add("lost_ticks", match.lost_ticks)
      .add("nonce", to_hex(match.nonce))
      .add("rules_digest", to_hex(match.rules_digest))
      .add("rules_name", match.rules_name.empty() ? "UNRANKED" : match.rules_name);
  json.add_json("is_kept", match.is_kept ? "true" : "false");
  json.add("broadphase", broadphase_name(match.config.broadphase));
  json.add("events", match.events)
      .add("objects", match.objects)
      .add("open_encounters", match.open_encounters);
  json.add("endpoint", endpoint_text(match.endpoint, server));
  json.add_json("layers", json_array(layers)).add_json("collides", json_array(collides));
  json.add_json("participants", json_array(participants));
  std::vector<std::string> scores;
  for (const Score& score : match.scores) scores.push_back(score_json(score));
  if (!scores.empty()) json.add_json("scores", json_array(scores));
  if (match.timing) json.add_json("timing", timing_json(*match.timing));
  return json.text();
}

std::string event_text(const Event& event, const MatchConfig& config) {
  const bool enter = event.kind == EventKind::kEnter;
  std::string text =
      "t=" + std::to_string(event.tick) + (enter ? " ENTER " : " EXIT ") + sides_text(event, config);
  if (!enter) text = text + ": " + to_string(event.reason);
  return event.time_of_impact == kEndOfTick ? text
                                            : text + " at " + std::to_string(event.time_of_impact) + "/256";
}

std::string event_json(const Event& event, const MatchConfig& config) {
  JsonObject json;
  json.add("sequence_number", event.sequence_number).add("tick", event.tick);
  json.add("kind", event.kind == EventKind::kEnter ? "ENTER" : "EXIT");
  if (event.kind == EventKind::kExit) json.add("reason", to_string(event.reason));
  add_sides(json, event, config);
  if (event.time_of_impact != kEndOfTick) json.add("time_of_impact", event.time_of_impact);
  return json.text();
}

std::string encounter_text(const Encounter& encounter, const MatchConfig& config) {
  return "t=" + std::to_string(encounter.since_tick) + " OPEN " + sides_text(encounter, config);
}

std::string encounter_json(const Encounter& encounter, const MatchConfig& config) {
  JsonObject json;
  json.add("kind", "OPEN").add("since_tick", encounter.since_tick);
  add_sides(json, encounter, config);
  return json.text();
}

std::string snapshot_json(const EncounterSnapshot& snapshot) {
  JsonObject json;
  json.add("kind", "SNAPSHOT").add("tick", snapshot.tick);
  json.add("last_sequence_number", snapshot.last_sequence_number);
  return json.text();
}

}  // namespace sweepd::tools
