// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_match_file.h"

#include <algorithm>

namespace sweepd::tools {
namespace {

bool contains(const std::vector<CollidingLayers>& pairs, const CollidingLayers& wanted) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const CollidingLayers& pair) {
    return (pair.layer_a == wanted.layer_a && pair.layer_b == wanted.layer_b) ||
           (pair.layer_a == wanted.layer_b && pair.layer_b == wanted.layer_a);
  });
}

void add_pairs(const MatchFile& file, const MatchConfig& played, std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < file.config.collides.size(); ++i) {
    const CollidingLayers& pair = file.config.collides[i];
    const auto place = file.places.find("collides[" + std::to_string(i) + "]");
    if (!place || contains(played.collides, pair)) continue;
    lines.push_back(file.at(place->position) + place->key + ": in the trace " + pair.layer_a + " and " +
                    pair.layer_b + " do not collide");
  }
  for (const CollidingLayers& pair : played.collides) {
    if (contains(file.config.collides, pair)) continue;
    lines.push_back(file.path + ": in the trace " + pair.layer_a + " and " + pair.layer_b + " collide");
  }
}

}  // namespace

std::vector<std::string> decided_by_trace(const MatchFile& file, const MatchConfig& played) {
  struct Decided {
    const char* field;
    bool differs;
  };
  const MatchConfig& config = file.config;
  const Decided fields[] = {
      {"slots", true},
      {"lockstep", true},
      {"waits", config.waits != played.waits},
      {"start_after_participants", config.start_after_participants != played.start_after_participants},
      {"late_frames", config.late_frames != played.late_frames},
      {"max_lead_ticks", config.max_lead_ticks != played.max_lead_ticks},
      {"heartbeat_ticks", config.heartbeat_ticks != played.heartbeat_ticks},
      {"objects_per_participant_max",
       config.objects_per_participant_max != played.objects_per_participant_max}};
  std::vector<std::string> lines;
  for (const Decided& decided : fields) {
    const auto place = file.places.find(decided.field);
    if (!place || !decided.differs) continue;
    lines.push_back(file.at(place->position) + place->key + ": what the trace needs is played instead");
  }
  add_pairs(file, played, lines);
  return lines;
}

}  // namespace sweepd::tools
