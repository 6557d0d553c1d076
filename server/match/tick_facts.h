// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "collision/outcomes.h"
#include "match/app_message.h"
#include "match/participant.h"

namespace sweepd::match {

/// An object that lost its last hit point, and whose it was.
struct Destruction {
  collision::Destruction what;
  ParticipantNumber owner = 0;
  ParticipantNumber by_owner = 0;
};

/// Objects that went from one participant to another, or the stage, or both.
struct OwnerChange {
  ParticipantNumber from = 0;  ///< May have left.
  ParticipantNumber to = 0;
  bool with_stage = false;  ///< `to` acts as the stage from now on.
  std::vector<ObjectId> objects = {};
};

/// What few ticks bring beside events: told once, in order.
struct TickFacts {
  std::vector<Destruction> destructions = {};             ///< By object.
  std::vector<ParticipantNumber> late_participants = {};  ///< LOCKSTEP: whose frame was missing; by number.
  std::vector<OwnerChange> owner_changes = {};            ///< In the order in which they were.
  std::vector<ToldMessage> messages = {};                 ///< The same.
};

/// Calls `visit(lists...)` for each kind of facts, with the list of it that each of `told` has. On their way
/// from the match to its subscribers facts go through this: what has no list of a kind does not compile.
template <typename Visit, typename... Told>
void for_each_fact(const Visit& visit, Told&... told) {
  visit(told.destructions...);
  visit(told.late_participants...);
  visit(told.owner_changes...);
  visit(told.messages...);
}

template <typename Told>
bool has_facts(const Told& told) {
  bool has_any = false;
  for_each_fact([&](const auto& facts) { has_any = has_any || !facts.empty(); }, told);
  return has_any;
}

// How much of a log a fact takes, beside events.
inline std::size_t size_of(const Destruction&) { return 1; }
inline std::size_t size_of(ParticipantNumber) { return 1; }
inline std::size_t size_of(const OwnerChange& change) { return 1 + change.objects.size(); }
inline std::size_t size_of(const ToldMessage& told) { return 1 + told.message.bytes.size() / 64; }

}  // namespace sweepd::match
