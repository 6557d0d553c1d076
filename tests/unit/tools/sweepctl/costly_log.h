// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sweepd/input_log.h"

namespace sweepd::tools {

inline MatchConfig two_layers() {
  MatchConfig config;
  config.layers = {"player", "enemy"};
  config.collides = {{.layer_a = "player", .layer_b = "enemy"}};
  return config;
}

/// So many objects in a square of `columns`, for so many ticks.
inline std::string crowd(int objects, int columns, double distance, int ticks) {
  auto log = InputLog::create(two_layers());
  auto ann = log->join("ann");
  for (int i = 0; i < objects; ++i) {
    ObjectSpec spec;
    spec.position = {distance * (i % columns), distance * (i / columns)};
    spec.parts = {{centered_box(8, 8), static_cast<std::uint32_t>(i % 2)}};
    spec.motion = Motion{.velocity = {(i % 3 - 1) / 256.0, (i % 5 - 2) / 256.0}};
    EXPECT_TRUE(ann->spawn(spec).ok());
  }
  EXPECT_TRUE(ann->end_frame().ok());
  for (int tick = 0; tick < ticks; ++tick) EXPECT_TRUE(log->end_tick().ok());
  EXPECT_TRUE(log->finish({}).ok());
  return std::string(*log->bytes());
}

}  // namespace sweepd::tools
