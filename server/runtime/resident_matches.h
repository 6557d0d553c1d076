// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "runtime/match_host.h"
#include "runtime/match_registry.h"

namespace sweepd::runtime {

/// The matches that live on one loop; touched by its thread only.
class ResidentMatches {
 public:
  ResidentMatches(Loop& loop, MatchRegistry& registry, Duration idle_timeout);

  /// `id` is in the registry already, and leaves it when the match ends.
  MatchHost& add(const MatchId& id, std::unique_ptr<match::Match> match);

  /// Null: it has ended.
  MatchHost* find(const MatchId& id) const;

  /// Answers every step that waits.
  void fail_steps(StepError error);

 private:
  void remove(const MatchId& id);

  Loop& loop_;
  MatchRegistry& registry_;
  Duration idle_timeout_;
  std::map<MatchId, std::shared_ptr<MatchHost>> hosts_;
};

}  // namespace sweepd::runtime
