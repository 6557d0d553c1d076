// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sweepd/client.h"
#include "tools/load/client_loop.h"
#include "tools/load/load_options.h"
#include "tools/load/scene.h"

namespace sweepd::tools::load {

/// What every match of a run plays.
struct Playbook {
  std::string name;           ///< The scene's, or "trace".
  std::uint32_t objects = 0;  ///< Of a match, on average over the loop; without those that measure latency.
  MatchConfig config;         ///< A slot for every client; it starts when all have joined and sent a frame.
  Loops loops;
  std::shared_ptr<const Scene> scene;  ///< The loops refer to it. Null: they refer to the options' trace.
};

/// Of the options' trace, if they have one, or else of their scene.
Playbook make_playbook(const LoadOptions& options);

/// Name of client `number` of a match, and of its slot.
std::string client_name(std::uint32_t number);

}  // namespace sweepd::tools::load
