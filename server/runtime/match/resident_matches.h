// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/journal/recovery.h"
#include "runtime/loop/move_choice.h"
#include "runtime/match/match_host.h"
#include "runtime/match/match_registry.h"

namespace sweepd::runtime {

/// The matches that live on one loop; touched by its thread only.
class ResidentMatches {
 public:
  /// `journal`: null where nothing is written down.
  ResidentMatches(Loop& loop, MatchRegistry& registry, Duration idle_timeout, Journal* journal = nullptr);

  /// `id` is in the registry already, and leaves it when the match ends. `payers`: its creator's.
  /// `rules`: without a digest it is computed.
  MatchHost& add(const MatchId& id, std::unique_ptr<match::Match> match, BudgetKey creator = {},
                 Payers payers = {}, replay::MatchRules rules = {});
  /// The same for one that has come back from the journal.
  MatchHost& add(RecoveredMatch recovered, Payers payers = {});

  /// Null: it has ended, or lives on another loop by now, of which the registry knows.
  MatchHost* find(const MatchId& id) const;

  /// A match goes over to another loop, the one of that number in the registry, with all its subscribers and
  /// whatever waits. On the thread of this loop, from a piece of posted work; the other's stands still.
  void move(const MatchId& id, ResidentMatches& target, std::size_t target_loop);

  /// What each match costs the loop.
  std::vector<MatchCost> costs() const;
  /// The match that comes next after that id; the first after the last. Nothing: there is none.
  std::optional<MatchId> next_after(const MatchId& id) const;

  /// Called with each match when it has ended, and everything about it is still there.
  void on_end(std::function<void(const MatchHost&)> on_end) { on_end_ = std::move(on_end); }

  /// Answers every step that waits.
  void fail_steps(StepError error);

 private:
  MatchHost& host(std::unique_ptr<match::Match> match, MatchHostOptions options);
  void remove(const MatchId& id);

  Loop& loop_;
  MatchRegistry& registry_;
  Duration idle_timeout_;
  Journal* journal_;
  std::function<void(const MatchHost&)> on_end_ = [](const MatchHost& /*host*/) {};
  std::map<MatchId, std::shared_ptr<MatchHost>> hosts_;
};

}  // namespace sweepd::runtime
