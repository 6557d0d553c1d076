// SPDX-License-Identifier: MIT
#include "app/sweepctl/load/load_match.h"

#include "app/sweepctl/trace_match.h"

namespace sweepd::app::load {

std::string client_name(std::uint32_t number) { return "client " + std::to_string(number + 1); }

MatchConfig match_config_of(const Scene& scene, const std::vector<FrameLoop>& loops,
                            const LoadOptions& options, std::uint32_t number) {
  MatchConfig config;
  config.name = "load " + scene.name + " " + std::to_string(number + 1);
  config.layers = scene.layers;
  config.layers.push_back("probe");
  for (const auto& [a, b] : scene.collides) config.collides.push_back({scene.layers[a], scene.layers[b]});
  config.collides.push_back({"probe", "probe"});
  config.tick_rate_hz = options.rate_hz;
  config.history_ticks = options.history_ticks;
  config.playfield = Box{0, 0, app::to_units(scene.field.x), app::to_units(scene.field.y)};
  config.start_after_participants = static_cast<std::uint32_t>(loops.size());
  std::uint32_t first_id = 1;
  for (const FrameLoop& loop : loops) {
    ParticipantSlot slot;
    slot.name = client_name(static_cast<std::uint32_t>(config.slots.size()));
    slot.first_id = first_id;
    slot.last_id = loop.last_id();
    config.slots.push_back(slot);
    first_id = slot.last_id + 1;
  }
  return config;
}

// A match may be cheapest to reach on a port of its own; the host is the one that this process knows.
std::string target_of(const MatchInfo& match, const std::string& server) {
  if (match.endpoint.port == 0 || server.starts_with("unix:")) return server;
  const std::size_t colon = server.rfind(':');
  const std::string host = match.endpoint.host.empty() ? server.substr(0, colon) : match.endpoint.host;
  return host + ":" + std::to_string(match.endpoint.port);
}

}  // namespace sweepd::app::load
