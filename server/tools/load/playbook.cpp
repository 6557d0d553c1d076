// SPDX-License-Identifier: MIT
#include "tools/load/playbook.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tools/load/frame_loop.h"
#include "tools/load/trace_loop.h"
#include "tools/sweepctl/trace_match.h"

namespace sweepd::tools::load {
namespace {

constexpr std::uint32_t kProbeObjects = 2;

template <typename Loop>
Loops share(std::vector<Loop> loops) {
  std::vector<std::unique_ptr<const ClientLoop>> shared;
  for (Loop& loop : loops) shared.push_back(std::make_unique<const Loop>(std::move(loop)));
  return std::make_shared<const std::vector<std::unique_ptr<const ClientLoop>>>(std::move(shared));
}

void add_probe_layer(MatchConfig& config) {
  std::string name = "probe";
  while (std::find(config.layers.begin(), config.layers.end(), name) != config.layers.end()) name += "'";
  config.layers.push_back(name);
  config.collides.push_back({name, name});
}

void add_clients(const LoadOptions& options, Playbook& playbook) {
  MatchConfig& config = playbook.config;
  config.tick_rate_hz = options.rate_hz;
  config.history_ticks = options.history_ticks;
  config.start_after_participants = static_cast<std::uint32_t>(playbook.loops->size());
  std::uint32_t first_id = 1;
  for (const auto& loop : *playbook.loops) {
    ParticipantSlot slot;
    slot.name = client_name(static_cast<std::uint32_t>(config.slots.size()));
    slot.first_id = first_id;
    slot.last_id = loop->last_id();
    config.slots.push_back(slot);
    first_id = slot.last_id + 1;
  }
}

Playbook playbook_of(std::shared_ptr<const Scene> scene, const LoadOptions& options) {
  Playbook playbook;
  playbook.name = scene->name;
  playbook.objects = static_cast<std::uint32_t>(scene->actors.size());
  playbook.loops = share(make_loops(*scene, options.motion, options.clients));
  MatchConfig& config = playbook.config;
  config.layers = scene->layers;
  for (const auto& [a, b] : scene->collides) config.collides.push_back({scene->layers[a], scene->layers[b]});
  add_probe_layer(config);
  config.playfield = Box{0, 0, tools::to_units(scene->field.x), tools::to_units(scene->field.y)};
  playbook.scene = std::move(scene);
  return playbook;
}

Playbook playbook_of(const Trace& trace) {
  Playbook playbook;
  playbook.name = "trace";
  std::vector<TraceLoop> loops = make_trace_loops(trace);
  double objects = 0;
  for (const TraceLoop& loop : loops) objects += loop.objects_mean();
  playbook.objects = static_cast<std::uint32_t>(std::lround(objects));
  playbook.loops = share(std::move(loops));
  // Layers have names there that a server takes.
  const MatchConfig played = tools::match_config_of(trace, {});
  MatchConfig& config = playbook.config;
  config.layers = played.layers;
  config.collides = played.collides;
  config.objects_per_participant_max = played.objects_per_participant_max + kProbeObjects;
  add_probe_layer(config);
  return playbook;
}

}  // namespace

std::string client_name(std::uint32_t number) { return "client " + std::to_string(number + 1); }

Playbook make_playbook(const LoadOptions& options) {
  Playbook playbook =
      options.trace
          ? playbook_of(*options.trace)
          : playbook_of(std::make_shared<const Scene>(options.scene == "W2" ? bullet_hell() : gunbird()),
                        options);
  add_clients(options, playbook);
  return playbook;
}

}  // namespace sweepd::tools::load
