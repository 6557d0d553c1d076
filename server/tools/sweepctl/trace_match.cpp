// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_match.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sweepd::tools {
namespace {

// A server wants names of layers and slots to be unique; a trace goes by numbers and does not care.
std::string take_unique(const std::string& name, const std::string& kind, std::size_t number,
                        std::set<std::string>& taken) {
  std::string unique = name;
  while (!taken.insert(unique).second)
    unique = unique == name ? kind + "-" + std::to_string(number) : unique + "'";
  return unique;
}

std::vector<ParticipantSlot> slots_of(const Trace& trace) {
  std::vector<ParticipantSlot> slots;
  std::set<std::string> taken;
  for (const TraceParticipant& participant : trace.participants) {
    ParticipantSlot slot;
    slot.name = take_unique(participant.name, "participant", slots.size(), taken);
    slot.first_id = participant.first_id;
    slot.last_id = participant.last_id;
    slots.push_back(slot);
  }
  return slots;
}

std::uint32_t objects_max_of(const Trace& trace) {
  std::uint32_t objects_max = MatchConfig().objects_per_participant_max;
  for (const TraceParticipant& participant : trace.participants) {
    objects_max = std::max(objects_max, participant.objects_max);
  }
  return objects_max;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_same_pair(const CollidingLayers& one, const CollidingLayers& other) {
  return (one.layer_a == other.layer_a && one.layer_b == other.layer_b) ||
         (one.layer_a == other.layer_b && one.layer_b == other.layer_a);
}

void add_base_layers(const MatchConfig& base, MatchConfig& config) {
  for (const std::string& layer : base.layers) {
    if (!contains(config.layers, layer)) config.layers.push_back(layer);
  }
}

/// The trace's pairs are in the config already.
void add_base_pairs(const MatchConfig& base, const std::vector<std::string>& trace_layers,
                    MatchConfig& config) {
  for (const CollidingLayers& pair : base.collides) {
    const auto same = [&pair](const CollidingLayers& other) { return is_same_pair(pair, other); };
    const auto found = std::find_if(config.collides.begin(), config.collides.end(), same);
    const bool is_traced = contains(trace_layers, pair.layer_a) && contains(trace_layers, pair.layer_b);
    if (found != config.collides.end()) {
      *found = pair;
    } else if (!is_traced) {
      config.collides.push_back(pair);
    }
  }
}

}  // namespace

MatchConfig match_config_of(const Trace& trace, const TraceMatchOptions& options) {
  MatchConfig config = options.base;
  config.layers.clear();
  config.collides.clear();
  config.name = options.name;
  std::set<std::string> taken;
  for (const std::string& layer : trace.layers) {
    config.layers.push_back(take_unique(layer, "layer", config.layers.size(), taken));
  }
  for (const auto& [a, b] : trace.collides) config.collides.push_back({config.layers[a], config.layers[b]});
  const std::vector<std::string> trace_layers = config.layers;
  add_base_layers(options.base, config);
  add_base_pairs(options.base, trace_layers, config);
  config.clock = options.clock;
  config.lockstep = Lockstep();
  config.lockstep.deadline_ms = 60'000;  // No mercy for missing frames either: as long as there may be.
  config.tick_rate_hz = options.tick_rate_hz;
  config.waits = ClockWaits();
  config.late_frames = LateFramePolicy::kDrop;
  config.max_lead_ticks = options.lead_ticks;
  config.start_after_participants = static_cast<std::uint32_t>(trace.participants.size());
  config.slots = slots_of(trace);
  config.objects_per_participant_max =
      std::max(options.base.objects_per_participant_max, objects_max_of(trace));
  // Sessions must see every tick go by: that is how the player knows how far the server is.
  config.heartbeat_ticks = 1;
  config.broadphase = options.broadphase;
  config.sector_grid = options.sector_grid;
  return config;
}

Box to_units(const TraceBox& box) {
  return {to_units(box.min_x), to_units(box.min_y), to_units(box.max_x), to_units(box.max_y)};
}

}  // namespace sweepd::tools
