// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>

#include "match/visibility/lookout.h"
#include "match/visibility/visibility.h"
#include "runtime/feed/world/world_model.h"

namespace sweepd::runtime {

/// By number; of observers none.
using Roles = std::array<std::optional<match::Role>, match::kParticipantsMax>;

/// All players of a match after its last tick: what is near to whom is found once for all who are told of the
/// world, however many they are. It takes as many tests as the match may have in a tick; past them nothing
/// further is near to anybody, and what is seen from near only is out of view in that tick.
class PlayerEyes {
 public:
  /// All must outlive it.
  PlayerEyes(const match::Match& match, const match::Visibility& rules, const Roles& roles)
      : match_(match), rules_(rules), roles_(roles) {}

  const match::Visibility& rules() const { return rules_; }
  const Roles& roles() const { return roles_; }
  match::SeatBits seats_that_see(const match::Sighted& object);

 private:
  void look_up();

  const match::Match& match_;
  const match::Visibility& rules_;
  const Roles& roles_;
  std::optional<match::Lookout> lookout_;  ///< From the first look on.
};

/// Which objects of the world after the last tick a viewer may see: by the rules for queries.
class SightScan {
 public:
  /// `viewer`: not one that sees all.
  SightScan(PlayerEyes& eyes, const match::Viewer& viewer)
      : eyes_(eyes), viewer_(viewer), bits_(viewer.bits()) {}

  /// `position`: where it is now.
  bool sees(const ModelObject& object, std::span<const collision::Part> parts, collision::Point position);

 private:
  PlayerEyes& eyes_;
  const match::Viewer& viewer_;
  const match::SeatBits bits_;
};

}  // namespace sweepd::runtime
