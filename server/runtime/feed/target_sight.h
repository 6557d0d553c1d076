// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "match/match.h"
#include "match/visibility/lookout.h"
#include "match/visibility/visibility.h"

namespace sweepd::runtime {

/// Which targets of the claims of a tick their claimants see: as they were after the tick that was judged, or
/// as they are now where none was. An object is seen if each layer that it has a part on is. What it takes to
/// measure distances is bounded by its tests: beyond them nothing is near.
class TargetSight {
 public:
  TargetSight(const match::Match& match, const match::Visibility& rules, std::uint64_t tests_max)
      : match_(match), rules_(rules), tests_left_(tests_max) {}

  bool sees(const match::ClaimVerdict& verdict);

 private:
  using Eyes = std::pair<match::ParticipantNumber, match::Tick>;

  bool sees(const Eyes& eyes, const match::PastObject& target);
  bool is_seen_by(const Eyes& eyes, const match::Sighted& part);
  bool is_seen_without_distance(const Eyes& eyes, const match::Sighted& part) const;

  const match::Match& match_;
  const match::Visibility& rules_;
  std::uint64_t tests_left_;
  std::map<Eyes, match::Lookout> lookouts_;
};

}  // namespace sweepd::runtime
