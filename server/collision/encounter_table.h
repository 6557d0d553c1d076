// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/hash_secret.h"
#include "collision/event.h"
#include "collision/flat_index.h"

namespace sweepd::collision {

/// A pair of parts that began or ended to overlap, as part of its encounter.
struct EncounterChange {
  EncounterKey key;
  PartPair parts;
  bool began = false;
  friend auto operator<=>(const EncounterChange&, const EncounterChange&) = default;
};

/// Some of the encounters: the first `count` by key of those that come after another and are of an object.
struct EncounterPage {
  std::optional<EncounterKey> after = {};
  ObjectId object = 0;  ///< 0: of any.
  std::size_t count = ~std::size_t{0};

  bool has(const EncounterKey& key) const {
    const bool is_of_object = object == 0 || key.object_a == object || key.object_b == object;
    return is_of_object && (!after || *after < key);
  }
  /// Of those that it has, leaves the first ones, sorted: what is not among them is not sorted either.
  void cut(std::vector<Encounter>& encounters) const;
};

/// The open encounters, and the pairs of parts that keep each open.
class EncounterTable {
 public:
  /// Takes a tick's changes, sorted; appends encounters that ended (as they last were) and that began, both
  /// sorted. One that lost all its pairs and got others in the same tick goes on. A pair that both ended and
  /// began stays.
  void apply(std::span<const EncounterChange> changes, Tick tick, std::vector<Encounter>& ended,
             std::vector<Encounter>& began);

  /// What `apply` would append. It changes nothing.
  void foresee(std::span<const EncounterChange> changes, Tick tick, std::vector<Encounter>& ended,
               std::vector<Encounter>& began);

  /// Appends those of any of `ids`, which are sorted, to `removed`, in no order.
  void remove_all_of(std::span<const ObjectId> ids, std::vector<Encounter>& removed);

  /// Of one that is open.
  void set_since(const EncounterKey& key, Tick tick);

  bool is_open(const EncounterKey& key) const;
  std::size_t size() const { return open_.size(); }
  std::vector<Encounter> sorted() const;
  std::vector<Encounter> sorted(const EncounterPage& page) const;
  void clear();
  /// Walks everything and asserts the invariants. For debug builds.
  void validate() const;

 private:
  struct KeyHash {
    std::uint64_t operator()(const EncounterKey& key) const {
      const std::uint64_t objects = std::uint64_t{key.object_a} << 32 | key.object_b;
      return base::mix_word(base::mix_secretly(objects) + (std::uint64_t{key.layer_a} << 8 | key.layer_b));
    }
  };

  struct Open {
    Encounter encounter;
    std::uint32_t others = kNoOthers;  // A list of its other pairs, all higher, ascending; most have none.
  };
  struct OtherPair {
    PartPair parts;
    std::uint32_t next;
  };
  static constexpr std::uint32_t kNoOthers = ~std::uint32_t{0};

  auto key_at() const {
    return [this](std::uint32_t position) -> const EncounterKey& { return open_[position].encounter.key; };
  }
  template <typename Visit>
  void for_each_of(std::span<const EncounterChange> changes, const Visit& visit);
  static std::size_t beginnings(std::span<const EncounterChange> changes);
  static std::span<const EncounterChange> next_group(std::span<const EncounterChange> changes);
  void merge_pairs(const Open* before, std::span<const EncounterChange> group);
  void insert(const EncounterKey& key, Tick tick);
  void erase(std::uint32_t position);
  void store_pairs(Open& open);
  void free_others(Open& open);
  std::uint32_t take_other();

  std::vector<Open> open_;
  FlatIndex<EncounterKey, KeyHash> positions_;
  std::vector<OtherPair> others_;
  std::uint32_t free_others_ = kNoOthers;  // A list, too.
  std::vector<PartPair> merged_;           // Kept for its memory only.
};

}  // namespace sweepd::collision
