// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "collision/object_table.h"

namespace sweepd::collision {

/// When objects expire or are to be enabled, soonest first. Entries are not withdrawn: whoever takes one asks
/// the object whether it still holds. So that outdated ones cannot pile up, they are thrown out whenever they
/// outnumber the objects.
class Deadlines {
 public:
  /// Which of an object's ticks the entries stand for.
  using TickOf = Tick (*)(const Object&);

  explicit Deadlines(TickOf tick_of) : tick_of_(tick_of) {}

  void add(const Object& object, const ObjectTable& objects);
  /// The next object that is due at `tick`, in order of ids; null if none is left. Entries that no longer
  /// hold are passed over.
  Object* take(Tick tick, ObjectTable& objects);
  void clear() { heap_.clear(); }

 private:
  struct Entry {
    Tick tick;
    ObjectId id;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  bool holds(const Entry& entry, const ObjectTable& objects) const;
  void compact(const ObjectTable& objects);

  TickOf tick_of_;
  std::vector<Entry> heap_;  // Smallest on top.
};

}  // namespace sweepd::collision
