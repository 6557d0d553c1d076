// SPDX-License-Identifier: MIT
#include "property/broadphase/part_stream.h"

#include <algorithm>

namespace sweepd::property {

using namespace collision;  // NOLINT: this file speaks of nothing else.

namespace {

Subunits clamp(std::int64_t value) {
  return static_cast<Subunits>(std::clamp<std::int64_t>(value, kSubunitsMin, kSubunitsMax));
}

}  // namespace

PartStream::PartStream(std::uint64_t seed) : random_(seed) {
  layers_ = static_cast<std::uint32_t>(random_.between(1, 4));
  for (std::uint32_t a = 0; a < layers_; ++a) {
    for (std::uint32_t b = a; b < layers_; ++b) {
      if (random_.chance(50)) matrix_.allow(saturate_layer(a), saturate_layer(b));
    }
  }
  matrix_.allow(0, saturate_layer(layers_ - 1));
  extent_ = random_.chance(20) ? 4'000'000'000 : random_.between(5, 5000);
  origin_ = random_.chance(25) ? std::int64_t{kSubunitsMin} : random_.between(-1000, 1000);
  size_max_ = random_.chance(20) ? extent_ / 2 : random_.between(0, 60);
  has_giants_ = random_.chance(33);
  is_on_one_spot_ = random_.chance(16);
  parts_.resize(static_cast<std::size_t>(random_.between(2, random_.chance(30) ? 700 : 120)));
}

Box PartStream::random_box() {
  const std::int64_t x = origin_ + (is_on_one_spot_ ? 50 : random_.between(0, extent_));
  const std::int64_t y = origin_ + (is_on_one_spot_ ? 50 : random_.between(0, extent_));
  const std::int64_t size_max = has_giants_ && random_.chance(2) ? extent_ : size_max_;
  const std::int64_t width = random_.between(0, size_max);
  const std::int64_t height = random_.between(0, size_max);
  Box box{clamp(x), clamp(y), clamp(x + width), clamp(y + height)};
  if (box == kWholeRange) ++box.min_x;  // The one box that the contract excludes.
  return box;
}

Box PartStream::region() {
  if (random_.chance(10)) return kWholeRange;
  return random_box();
}

void PartStream::enter(PartHandle part, PartChanges& changes) {
  Placed& placed = parts_[part];
  const auto objects = static_cast<std::int64_t>(parts_.size());
  placed = {random_box(), static_cast<std::uint32_t>(random_.between(0, objects)),
            saturate_layer(part % layers_), true};
  changes.added.push_back({part, placed.object, placed.layer, placed.box});
}

void PartStream::step(PartHandle part, std::int64_t x, std::int64_t y, PartChanges& changes) {
  Box& box = parts_[part].box;
  const auto moved = translate(box, {static_cast<Subunits>(x), static_cast<Subunits>(y)});
  if (!moved) return;
  box = *moved;
  changes.moved.push_back({part, box});
}

void PartStream::change(PartHandle part, Mood mood, Point drift, PartChanges& changes) {
  switch (mood) {
    case Mood::kNothing:
    case Mood::kMostLeave:
      return;
    case Mood::kFewMove:
      if (random_.chance(4)) step(part, random_.between(-5, 5), random_.between(-5, 5), changes);
      return;
    case Mood::kTeleport:
      parts_[part].box = random_box();
      changes.moved.push_back({part, parts_[part].box});
      return;
    case Mood::kDriftAlike:
      if (random_.chance(95)) return step(part, drift.x, drift.y, changes);
      [[fallthrough]];
    case Mood::kStep:
      step(part, random_.between(-5, 5), random_.between(-5, 5), changes);
  }
}

void PartStream::next(PartChanges& changes) {
  changes.clear();
  const auto mood = static_cast<Mood>(random_.index(6));
  const Point drift{static_cast<Subunits>(random_.between(-20, 20)),
                    static_cast<Subunits>(random_.between(-20, 20))};
  for (PartHandle part = 0; part < parts_.size(); ++part) {
    if (!parts_[part].is_present) {
      if (is_first_tick_ || random_.chance(10)) enter(part, changes);
    } else if (random_.chance(mood == Mood::kMostLeave ? 60 : 1)) {
      parts_[part].is_present = false;
      changes.removed.push_back(part);
    } else {
      change(part, mood, drift, changes);
    }
  }
  is_first_tick_ = false;
}

}  // namespace sweepd::property
