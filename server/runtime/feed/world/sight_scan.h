// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "match/visibility/visibility.h"
#include "runtime/feed/world/world_model.h"

namespace sweepd::runtime {

/// By number; of observers none.
using Roles = std::array<std::optional<match::Role>, match::kParticipantsMax>;

/// Which objects of the world after the last tick a viewer may see: by the rules for queries.
class SightScan {
 public:
  /// `viewer`: not one that sees all.
  SightScan(const match::Match& match, const match::Visibility& rules, const match::Viewer& viewer,
            const Roles& roles)
      : match_(match), rules_(rules), viewer_(viewer), roles_(roles) {}

  /// `position`: where it is now.
  bool sees(const ModelObject& object, std::span<const collision::Part> parts, collision::Point position);

 private:
  bool sees(const match::Sighted& object);
  bool is_near(match::ParticipantNumber own, match::TemplateNumber kind, collision::Point position,
               std::uint32_t distance_max);

  const match::Match& match_;
  const match::Visibility& rules_;
  const match::Viewer& viewer_;
  const Roles& roles_;
  std::map<std::pair<match::ParticipantNumber, match::TemplateNumber>, std::vector<collision::Point>>
      anchors_;
};

}  // namespace sweepd::runtime
