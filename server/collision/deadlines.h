// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/object.h"
#include "collision/part_pool.h"

namespace sweepd::collision {

/// Ticks at which something is due, at most one for an object: kept apart from the objects, of which many
/// have none. Objects are told apart by their slots, and come due by their ids: whose slot is whose, callers
/// say by `slot_of`, a functor id → slot, or kNoSlot for one that is not there. An object's deadline has to
/// be cleared before its slot is another's.
class Deadlines {
 public:
  /// Replaces the object's deadline. kForever is never due, but known.
  template <typename SlotOf>
  void set(ObjectId id, Tick tick, const SlotOf& slot_of) {
    note(slot_of(id), tick);
    if (tick == kForever) return;
    if (heap_.size() > size_ + size_ / 4 + 64) {
      std::erase_if(heap_, [&](const Entry& entry) { return !holds(entry, slot_of); });
      tidy();
    }
    push(entry(tick, id));
  }
  void clear(ObjectSlot slot);
  std::optional<Tick> find(ObjectSlot slot) const;

  /// Takes the next that is due at `tick`, by (tick, id); 0 if none is left.
  template <typename SlotOf>
  ObjectId take(Tick tick, const SlotOf& slot_of) {
    while (!heap_.empty() && heap_.front().tick() <= tick) {
      const Entry entry = pop();
      if (!holds(entry, slot_of)) continue;
      clear(slot_of(entry.id));
      return entry.id;
    }
    return 0;
  }

  std::size_t size() const { return size_; }
  void clear();

 private:
  /// Ordered by tick, then by id. The tick in halves: so it is twelve bytes.
  struct Entry {
    std::uint32_t tick_high;
    std::uint32_t tick_low;
    ObjectId id;
    Tick tick() const { return Tick{tick_high} << 32 | tick_low; }
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  static Entry entry(Tick tick, ObjectId id) {
    return {static_cast<std::uint32_t>(tick >> 32), static_cast<std::uint32_t>(tick), id};
  }

  template <typename SlotOf>
  bool holds(const Entry& entry, const SlotOf& slot_of) const {
    return find(slot_of(entry.id)) == entry.tick();
  }
  void note(ObjectSlot slot, Tick tick);
  void push(const Entry& entry);
  Entry pop();
  void tidy();

  std::vector<Tick> due_;  // What holds, by slot; 0: nothing. As long as any slot needed.
  std::size_t size_ = 0;   // Of those that are not 0.
  // Smallest on top. Entries are not withdrawn: one that no longer holds is passed over when it comes up, and
  // all such are thrown out whenever they are many.
  std::vector<Entry> heap_;
};

}  // namespace sweepd::collision
