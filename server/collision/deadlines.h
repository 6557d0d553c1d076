// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "collision/flat_index.h"
#include "collision/object.h"

namespace sweepd::collision {

/// Ticks at which something is due, at most one for an object: kept apart from the objects, most of which
/// have none.
class Deadlines {
 public:
  /// Replaces the object's deadline. kForever is never due, but known.
  void set(ObjectId id, Tick tick);
  void clear(ObjectId id);
  std::optional<Tick> find(ObjectId id) const;

  /// Takes the next that is due at `tick`, by (tick, id); 0 if none is left.
  ObjectId take(Tick tick);

  std::size_t size() const { return entries_.size(); }
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
  struct IdHash {
    std::uint64_t operator()(ObjectId id) const { return base::mix_word(id); }
  };

  auto id_at() const {
    return [this](std::uint32_t position) { return entries_[position].id; };
  }
  void compact();

  std::vector<Entry> entries_;  // What holds, in no order.
  FlatIndex<ObjectId, IdHash> positions_;
  // Smallest on top. Entries are not withdrawn: one that no longer holds is passed over when it comes up, and
  // all such are thrown out whenever they are many.
  std::vector<Entry> heap_;
};

}  // namespace sweepd::collision
