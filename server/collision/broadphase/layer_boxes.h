// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/broadphase/packed_box.h"

namespace sweepd::collision {

/// How far a box moved. Wide, as equal ways modulo 2^32 could be different ways.
struct Displacement {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend bool operator==(const Displacement&, const Displacement&) = default;
};

/// The boxes of one layer, dense, as they were at the last update and as they are now. A slot stays put while
/// its part lives, and is not given again within a tick; so pairs of slots can be kept over ticks. A free
/// slot holds kNoBox, and so does, in `before`, one that was added since the last update: a comparison finds
/// both to be boxes that meet nothing.
class LayerBoxes {
 public:
  using Slot = std::uint32_t;

  /// Whose box it is. Together, as they are read together.
  struct Owner {
    PartHandle part = 0;
    std::uint32_t object = 0;
  };

  Slot add(PartHandle part, std::uint32_t object, const PackedBox& box);
  void remove(Slot slot) {
    removed_.push_back(slot);
    now_[slot] = kNoBox;
    note_change(slot);
  }

  std::span<const PackedBox> before() const { return before_; }
  std::span<const PackedBox> now() const { return now_; }
  PartHandle part(Slot slot) const { return owners_[slot].part; }
  const Owner& owner(Slot slot) const { return owners_[slot]; }

  /// Slots of parts, free ones not counted.
  std::size_t size() const { return now_.size() - free_.size(); }
  std::size_t changed_count() const { return changed_count_; }
  /// The slots that changed, each once. There must be few: see kFewChanges.
  std::span<const Slot> changed() const;

  bool has_few_changed() const { return changed_count_ <= changed_.size(); }

  /// That of more than half of the boxes, if there is such a one.
  Displacement most_common_displacement() const;
  /// Replaces `others` by the slots that did anything else than to move so far.
  void find_moved_otherwise(Displacement displacement, std::vector<Slot>& others) const;

  /// The list of changed slots is only kept while they are fewer than one in this many of all.
  static constexpr std::size_t kFewChanges = 4;

  /// What is now will have been before. Slots of removed parts become free.
  void settle();
  void validate() const;

  /// Moves boxes while it lives; meanwhile nothing else may be done to the layer. It holds in registers what
  /// would else be loaded and stored for each box.
  class Mover {
   public:
    explicit Mover(LayerBoxes& layer)
        : layer_(layer),
          now_(layer.now_.data()),
          changed_(layer.changed_.data()),
          changed_max_(layer.changed_.size()),
          changed_count_(layer.changed_count_) {}
    Mover(const Mover&) = delete;
    ~Mover() { layer_.changed_count_ = changed_count_; }

    void move(Slot slot, const PackedBox& box) {
      now_[slot] = box;
      if (changed_count_ < changed_max_) changed_[changed_count_] = slot;
      ++changed_count_;
    }

   private:
    LayerBoxes& layer_;
    PackedBox* now_;
    Slot* changed_;
    std::size_t changed_max_;
    std::size_t changed_count_;
  };

 private:
  void grow_if_full();
  void note_change(Slot slot) {
    if (++changed_count_ <= changed_.size()) changed_[changed_count_ - 1] = slot;
  }

  std::vector<PackedBox> before_;
  std::vector<PackedBox> now_;
  std::vector<Owner> owners_;
  std::vector<Slot> free_;
  std::vector<Slot> removed_;  // Since the last update.
  std::vector<Slot> changed_;  // Room for as many as are few.
  std::size_t changed_count_ = 0;
};

}  // namespace sweepd::collision
