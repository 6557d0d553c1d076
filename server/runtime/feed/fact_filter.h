// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "match/match.h"
#include "match/tick_facts.h"
#include "match/visibility/visibility.h"
#include "runtime/feed/event_filter.h"
#include "runtime/feed/sight_log.h"

namespace sweepd::runtime {

/// What a subscriber has asked for, and what is for it.
struct FactFilter {
  const EventFilter& filter;
  const std::vector<match::ParticipantNumber>& seats;
  const match::Match& match;

  bool passes(const match::Destruction& destruction) const {
    const collision::Destruction& what = destruction.what;
    return filter.passes({what.object, what.by, what.layer, what.by_layer},
                         match::event_owners(destruction.owner, destruction.by_owner));
  }
  // These are of no encounters.
  bool passes(match::ParticipantNumber) const { return true; }
  bool passes(const match::OwnerChange&) const { return true; }
  /// Without a seat it is told what observers are.
  bool passes(const match::ToldMessage& message) const {
    if (seats.empty()) return message.is_for(match::Role::kObserver);
    return std::ranges::any_of(seats, [&](match::ParticipantNumber seat) {
      const auto one = match.find_participant(seat);
      if (!one) return false;
      return message.is_for(seat, one->role) ||
             (one->acts_as_stage && message.is_for(seat, match::Role::kStage));
    });
  }
};

/// What a viewer from whom something is hidden may not be told, and what it has not asked for. Each kind of
/// facts has a call of its own: one that has none does not compile.
struct FactLimits {
  const SightLog& sight;
  const match::Viewer& viewer;
  const FactFilter& wanted;
  match::Tick tick;

  void operator()(std::vector<match::Destruction>& destructions) const {
    std::size_t index = 0;
    std::erase_if(destructions, [&](const match::Destruction& destruction) {
      const bool is_seen = sight.sees_destruction(viewer, tick, index++, destruction);
      return !is_seen || !wanted.passes(destruction);
    });
  }
  /// Participants are no secret.
  void operator()(std::vector<match::ParticipantNumber>&) const {}
  /// What it may not see names no objects.
  void operator()(std::vector<match::OwnerChange>& changes) const {
    if (!sight.rules().hides_any(viewer.role)) return;
    for (match::OwnerChange& change : changes) {
      if (!viewer.owns(change.from) && !viewer.owns(change.to)) change.objects.clear();
    }
  }
  void operator()(std::vector<match::ToldMessage>& messages) const {
    std::erase_if(messages, [&](const match::ToldMessage& message) { return !wanted.passes(message); });
  }
};

}  // namespace sweepd::runtime
