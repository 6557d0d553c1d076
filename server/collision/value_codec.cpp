// SPDX-License-Identifier: MIT
#include "collision/value_codec.h"

#include <utility>

namespace sweepd::collision {
namespace {

constexpr std::size_t kPartBytesMin = 6;

// In the first byte of a part, beside its kind.
constexpr std::uint8_t kKindBits = 3;
constexpr std::uint8_t kIsRising = 4;
constexpr std::uint8_t kHasMask = 8;
constexpr std::uint8_t kHasRadius = 16;
constexpr std::uint8_t kPartBits = 31;

// In the first byte of a spec.
constexpr std::uint8_t kSpecDespawnsOutside = 1;
constexpr std::uint8_t kSpecIsContinuous = 2;
constexpr std::uint8_t kSpecIsSingleUse = 4;
constexpr std::uint8_t kSpecHasKind = 8;
constexpr std::uint8_t kSpecHasTag = 16;
constexpr std::uint8_t kSpecBits = 31;

// Names every member of what is written, so that a new one does not compile until it is, too.
void write_part(base::ByteWriter& writer, const Part& part) {
  const auto& [box, layer, kind, is_rising, mask, radius] = part;
  writer.byte(static_cast<std::uint8_t>(static_cast<unsigned>(kind) | (is_rising ? kIsRising : 0u) |
                                        (mask != 0 ? kHasMask : 0u) | (radius != 0 ? kHasRadius : 0u)));
  writer.byte(layer);
  write(writer, box);
  if (mask != 0) writer.byte(mask);
  if (radius != 0) writer.signed_number(radius);
}

Part read_part(base::ByteReader& reader) {
  const std::uint8_t bits = reader.byte();
  reader.require(bits <= kPartBits, "is no kind of part");
  Part part;
  part.kind = static_cast<ShapeKind>(bits & kKindBits);
  part.is_rising = (bits & kIsRising) != 0;
  part.layer = reader.byte();
  part.box = read_box(reader);
  if ((bits & kHasMask) != 0) part.mask = reader.byte();
  if ((bits & kHasRadius) != 0) part.radius = reader.signed_number32();
  return part;
}

Subunits read_end(base::ByteReader& reader, Subunits begin) {
  const std::int64_t length = reader.signed_number();
  std::int64_t end = 0;
  const bool fits = !__builtin_add_overflow(begin, length, &end) && fits_subunits(end);
  return reader.require(fits, "is a box beyond the range of coordinates") ? static_cast<Subunits>(end) : 0;
}

}  // namespace

void write(base::ByteWriter& writer, Point point) {
  const auto& [x, y] = point;
  writer.signed_number(x);
  writer.signed_number(y);
}

Point read_point(base::ByteReader& reader) {
  const Subunits x = reader.signed_number32();
  return {x, reader.signed_number32()};
}

void write(base::ByteWriter& writer, const Box& box) {
  const auto& [min_x, min_y, max_x, max_y] = box;
  write(writer, Point{min_x, min_y});
  writer.signed_number(std::int64_t{max_x} - min_x);
  writer.signed_number(std::int64_t{max_y} - min_y);
}

Box read_box(base::ByteReader& reader) {
  const auto [x, y] = read_point(reader);
  const Subunits max_x = read_end(reader, x);
  return {x, y, max_x, read_end(reader, y)};
}

void write(base::ByteWriter& writer, const Motion& motion) {
  const auto& [velocity, acceleration] = motion;
  write(writer, velocity);
  write(writer, acceleration);
}

Motion read_motion(base::ByteReader& reader) {
  const Point velocity = read_point(reader);
  return {velocity, read_point(reader)};
}

void write(base::ByteWriter& writer, std::span<const Part> parts) {
  writer.number(parts.size());
  for (const Part& part : parts) write_part(writer, part);
}

std::vector<Part> read_parts(base::ByteReader& reader, std::size_t parts_max) {
  const std::size_t count = reader.count(kPartBytesMin);
  if (!reader.require(count <= parts_max, "is a list of too many parts")) return {};
  std::vector<Part> parts(count);
  for (Part& part : parts) part = read_part(reader);
  return parts;
}

void write(base::ByteWriter& writer, const ObjectSpec& spec) {
  const auto& [id, owner, position, parts, motion, time_to_live_ticks, despawn_outside_playfield, continuous,
               single_use, hit_points, damage, kind, tag] = spec;
  writer.byte(static_cast<std::uint8_t>((despawn_outside_playfield ? kSpecDespawnsOutside : 0u) |
                                        (continuous ? kSpecIsContinuous : 0u) |
                                        (single_use ? kSpecIsSingleUse : 0u) |
                                        (kind != 0 ? kSpecHasKind : 0u) | (tag != 0 ? kSpecHasTag : 0u)));
  writer.number(id);
  writer.number(owner);
  write(writer, position);
  write(writer, motion);
  writer.number(time_to_live_ticks);
  writer.number(hit_points);
  writer.number(damage);
  if (kind != 0) writer.number(kind);
  if (tag != 0) writer.number(tag);
  write(writer, std::span<const Part>(parts));
}

ObjectSpec read_spec(base::ByteReader& reader) {
  const std::uint8_t bits = reader.byte();
  reader.require(bits <= kSpecBits, "is no kind of object");
  ObjectSpec spec;
  spec.despawn_outside_playfield = (bits & kSpecDespawnsOutside) != 0;
  spec.continuous = (bits & kSpecIsContinuous) != 0;
  spec.single_use = (bits & kSpecIsSingleUse) != 0;
  spec.id = reader.number32();
  spec.owner = reader.number32();
  spec.position = read_point(reader);
  spec.motion = read_motion(reader);
  spec.time_to_live_ticks = reader.number32();
  spec.hit_points = reader.number32();
  spec.damage = reader.number32();
  if ((bits & kSpecHasKind) != 0) spec.kind = reader.number32();
  if ((bits & kSpecHasTag) != 0) spec.tag = reader.number();
  spec.parts = read_parts(reader, reader.remaining());
  return spec;
}

void PartListWriter::write(base::ByteWriter& writer, std::span<const Part> parts) {
  base::ByteWriter list;
  collision::write(list, parts);
  const auto [known, is_new] = numbers_.try_emplace(list.take(), numbers_.size());
  writer.number(known->second);
  if (is_new) writer.raw(known->first);
}

const std::vector<Part>& PartListReader::read(base::ByteReader& reader) {
  const std::uint64_t number = reader.number(lists_.size());
  if (!reader.ok()) return none_;
  if (number == lists_.size()) lists_.push_back(read_parts(reader, kPartsMax));
  return lists_[number];
}

}  // namespace sweepd::collision
