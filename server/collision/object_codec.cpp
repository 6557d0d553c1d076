// SPDX-License-Identifier: MIT
#include "collision/object_codec.h"

#include <limits>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

// What is written of an object: the more common, the lower, as these go into one byte.
enum Trait : std::uint32_t {
  kHasMotion = 1,
  kHasOtherOwner = 2,  // Than the one before.
  kDespawnsOutside = 4,
  kExpires = 8,
  kHasVitals = 16,
  kIsSingleUse = 32,
  kIsContinuous = 64,
  kHasAcceleration = 128,
  kIsDisabled = 256,
  kIsFrozen = 512,
  kHasTag = 1024,
  kTraitsEnd = 2048,
};

void write_deadline(base::ByteWriter& writer, Tick deadline, Tick tick) {
  SWEEPD_ASSERT(deadline > tick);
  writer.number(deadline == kForever ? 0 : deadline - tick);
}

}  // namespace

// Names every member, so that a new one does not compile until it is written.
void ObjectWriter::write(base::ByteWriter& writer, const ObjectView& object) {
  const auto& [id, owner, position, motion, parts, disabled_until, expires_at, hit_points, damage,
               despawn_outside_playfield, is_continuous, is_single_use, is_frozen, tag] = object;
  std::uint32_t traits = 0;
  if (!motion.is_still()) traits |= kHasMotion;
  if (owner != last_owner_) traits |= kHasOtherOwner;
  if (despawn_outside_playfield) traits |= kDespawnsOutside;
  if (expires_at != kForever) traits |= kExpires;
  if (hit_points > 0 || damage > 0) traits |= kHasVitals;
  if (is_single_use) traits |= kIsSingleUse;
  if (is_continuous) traits |= kIsContinuous;
  if (motion.acceleration != Point{}) traits |= kHasAcceleration;
  if (disabled_until != 0) traits |= kIsDisabled;
  if (is_frozen) traits |= kIsFrozen;
  if (tag != 0) traits |= kHasTag;
  SWEEPD_ASSERT(id > last_id_);
  writer.number(traits);
  writer.number(id - last_id_ - 1);
  if ((traits & kHasOtherOwner) != 0) writer.number(owner);
  collision::write(writer, position);
  if ((traits & kHasMotion) != 0) collision::write(writer, motion.velocity);
  if ((traits & kHasAcceleration) != 0) collision::write(writer, motion.acceleration);
  if ((traits & kExpires) != 0) write_deadline(writer, expires_at, tick_);
  if ((traits & kHasVitals) != 0) {
    writer.number(hit_points);
    writer.number(damage);
  }
  if ((traits & kIsDisabled) != 0) write_deadline(writer, disabled_until, tick_);
  if ((traits & kHasTag) != 0) writer.number(tag);
  parts_.write(writer, parts);
  last_id_ = id;
  last_owner_ = owner;
}

Tick ObjectReader::read_deadline(base::ByteReader& reader) {
  const Tick ticks = reader.number();
  if (ticks == 0) return kForever;
  const bool fits = ticks < kForever - tick_;
  return reader.require(fits, "is a tick beyond all ticks") ? tick_ + ticks : kForever;
}

ObjectRecord ObjectReader::read(base::ByteReader& reader) {
  const auto traits = static_cast<std::uint32_t>(reader.number(kTraitsEnd - 1));
  ObjectRecord record;
  ObjectSpec& spec = record.spec;
  spec.id = static_cast<ObjectId>(last_id_ + 1 + reader.number(std::numeric_limits<ObjectId>::max()));
  reader.require(spec.id > last_id_, "is an id that does not ascend");
  spec.owner = (traits & kHasOtherOwner) != 0 ? reader.number32() : last_owner_;
  spec.position = read_point(reader);
  if ((traits & kHasMotion) != 0) spec.motion.velocity = read_point(reader);
  if ((traits & kHasAcceleration) != 0) spec.motion.acceleration = read_point(reader);
  if ((traits & kExpires) != 0) record.expires_at = read_deadline(reader);
  if ((traits & kHasVitals) != 0) {
    spec.hit_points = reader.number32();
    spec.damage = reader.number32();
  }
  if ((traits & kIsDisabled) != 0) record.disabled_until = read_deadline(reader);
  if ((traits & kHasTag) != 0) spec.tag = reader.number();
  reader.require((traits & kHasTag) == 0 || spec.tag != 0, "is a tag that is none");
  spec.parts = parts_.read(reader);
  spec.despawn_outside_playfield = (traits & kDespawnsOutside) != 0;
  spec.single_use = (traits & kIsSingleUse) != 0;
  spec.continuous = (traits & kIsContinuous) != 0;
  record.is_frozen = (traits & kIsFrozen) != 0;
  last_id_ = spec.id;
  last_owner_ = spec.owner;
  return record;
}

}  // namespace sweepd::collision
