// SPDX-License-Identifier: MIT
#include "runtime/feed/event_filter.h"

#include <algorithm>

#include "collision/layers.h"

namespace sweepd::runtime {

static_assert(collision::kLayersMax <= 64, "a bit for each");

bool EventFilter::has_owner(match::ParticipantNumber number) const {
  return std::ranges::binary_search(owners, number);
}

bool EventFilter::passes(const collision::EncounterKey& key, const collision::EventOwners& of) const {
  if (!owners.empty() && !has_owner(of.a) && !has_owner(of.b)) return false;
  if (((layers >> key.layer_a | layers >> key.layer_b) & 1) == 0) return false;
  return objects.empty() || std::ranges::binary_search(objects, key.object_a) ||
         std::ranges::binary_search(objects, key.object_b);
}

bool EventFilter::passes(const collision::Event& event) const {
  const bool is_asked_for = event.kind == collision::EventKind::kEnter ? enters : exits;
  return is_asked_for && passes(event.key, event.owners);
}

}  // namespace sweepd::runtime
