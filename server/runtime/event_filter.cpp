// SPDX-License-Identifier: MIT
#include "runtime/event_filter.h"

#include <algorithm>

#include "collision/layers.h"

namespace sweepd::runtime {

static_assert(collision::kLayersMax <= 64, "a bit for each");

bool EventFilter::passes(const collision::EncounterKey& key, const match::EventOwners& owners) const {
  if (owner && owners.a != *owner && owners.b != *owner) return false;
  if (((layers >> key.layer_a | layers >> key.layer_b) & 1) == 0) return false;
  return objects.empty() || std::ranges::binary_search(objects, key.object_a) ||
         std::ranges::binary_search(objects, key.object_b);
}

bool EventFilter::passes(const collision::Event& event, const match::EventOwners& owners) const {
  const bool is_asked_for = event.kind == collision::EventKind::kEnter ? enters : exits;
  return is_asked_for && passes(event.key, owners);
}

}  // namespace sweepd::runtime
