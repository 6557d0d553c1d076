// SPDX-License-Identifier: MIT
#pragma once

#include <set>

#include "match/config.h"
#include "tools/sweepctl/replay_picture.h"

namespace sweepd::tools {

/// The objects that a scene is about: those asked for; of none those of its claims and of what touches.
std::set<match::ObjectId> objects_of_interest(const Scene& scene, const PictureOptions& options);

/// What part of the world a picture shows.
collision::Box region_of(const Scene& scene, const match::MatchConfig& config, const PictureOptions& options);

}  // namespace sweepd::tools
