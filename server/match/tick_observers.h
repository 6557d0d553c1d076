// SPDX-License-Identifier: MIT
#pragma once

#include "collision/tick_observer.h"

namespace sweepd::match {

/// Two observers, either of which may be absent: a match's history, and who else was set to.
struct TickObservers final : collision::TickObserver {
  explicit TickObservers(collision::TickObserver* history) : first(history) {}

  void on_tick(const collision::TickNotes& notes) override {
    if (first != nullptr) first->on_tick(notes);
    if (second != nullptr) second->on_tick(notes);
  }

  collision::TickObserver* first;
  collision::TickObserver* second = nullptr;
};

}  // namespace sweepd::match
