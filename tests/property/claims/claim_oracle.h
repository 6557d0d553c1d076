// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "match/claims/claim_judge.h"
#include "property/history/past_worlds.h"

namespace sweepd::property {

/// How far two shapes are from touching on their ways, found in the plainest way: by looking for the moment
/// in which they are closest. Negative or 0: they touch.
long double closest_distance(const collision::Shape& a, collision::Way way_a, const collision::Shape& b,
                             collision::Way way_b);

/// How deep the boxes overlap at the deepest, found by looking at many moments.
long double deepest_overlap(const collision::Box& a, collision::Way way_a, const collision::Box& b,
                            collision::Way way_b);

/// The rules of claims, written down a second time, over copies of all past worlds. Shares with the judge its
/// types only.
class ClaimOracle {
 public:
  ClaimOracle(const PastWorlds& copies, const collision::WorldConfig& config, const match::ClaimRules& rules,
              std::uint32_t history_ticks)
      : copies_(copies), config_(config), rules_(rules), history_ticks_(history_ticks) {}

  struct Answer {
    match::Verdict verdict = match::Verdict::kConfirmed;
    collision::Tick tick_judged = 0;
    std::optional<long double> distance;  ///< Of what was closest.
    bool is_close_call = false;           ///< Too close to the tolerance for these numbers to tell.
  };
  /// `now`: the last tick. Owners below `players` are players.
  Answer judge(const match::Claimant& claimant, const match::HitClaim& claim, collision::Tick now,
               std::uint32_t players) const;
  void confirm(const match::HitClaim& claim, collision::Tick tick_judged);

 private:
  const ObjectCopy* find(collision::ObjectId id, collision::Tick tick) const;
  std::pair<collision::Point, collision::Way> way_of(collision::ObjectId id, collision::Tick tick) const;
  std::optional<long double> measure(const match::HitClaim& claim, collision::Tick tick) const;

  const PastWorlds& copies_;
  const collision::WorldConfig& config_;
  const match::ClaimRules& rules_;
  collision::Tick history_ticks_;
  using Lifetime = std::pair<collision::ObjectId, collision::Tick>;
  std::map<Lifetime, std::set<Lifetime>> hits_;
};

}  // namespace sweepd::property
