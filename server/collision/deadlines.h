// SPDX-License-Identifier: MIT
#pragma once

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
  struct Entry {
    Tick tick;
    ObjectId id;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
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
  // all such are thrown out whenever they outnumber the others.
  std::vector<Entry> heap_;
};

}  // namespace sweepd::collision
