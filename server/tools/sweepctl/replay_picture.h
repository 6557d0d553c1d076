// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "match/config.h"
#include "tools/sweepctl/scene.h"

namespace sweepd::tools {

struct PictureOptions {
  std::string title = {};
  /// What is shown. Absent: the objects asked for; of none the claims, else what touches, else all objects.
  std::optional<collision::Box> region = {};
  std::vector<match::ObjectId> objects = {};
};

/// A picture (SVG) of a scene: objects with their exact shapes and ids, their ways, claims with what was
/// measured, a scale in units, a legend of the layers, and what happened in words.
std::string draw_picture(const Scene& scene, const match::MatchConfig& config, const PictureOptions& options);

}  // namespace sweepd::tools
