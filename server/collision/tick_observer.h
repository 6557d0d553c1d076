// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "collision/event.h"
#include "collision/object_table.h"
#include "collision/outcomes.h"

namespace sweepd::collision {

/// A tick that is over, while the notes of what changed in it are still there.
struct TickNotes {
  /// changed(): what was spawned, changed, moved or removed; starts(): also teleports.
  const ObjectTable& objects;
  std::span<const Encounter> ended;  ///< Encounters that were open, and ended before its outcome was known,
  std::span<const Encounter> ended_by_outcome;  ///< or by it; these need not have been open before.
  const Outcomes& outcomes;  ///< Those that it removed are still in `objects`, and gone with the tick.
  Tick tick;
};

/// Is shown every tick of a world at its end.
class TickObserver {
 public:
  virtual void on_tick(const TickNotes& notes) = 0;

 protected:
  ~TickObserver() = default;
};

}  // namespace sweepd::collision
