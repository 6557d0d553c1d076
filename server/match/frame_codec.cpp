// SPDX-License-Identifier: MIT
#include "match/frame_codec.h"

#include "base/byte_list.h"
#include "collision/value_codec.h"

namespace sweepd::match {
namespace {

using base::ByteReader;
using base::ByteWriter;
using collision::read_box;
using collision::read_motion;
using collision::read_parts;
using collision::read_point;
using collision::write;

// Each names every member of what it writes, so that a new one does not compile until it is written, too.

template <typename T, typename WriteValue>
void write_optional(ByteWriter& writer, const std::optional<T>& value, const WriteValue& write_value) {
  writer.boolean(value.has_value());
  if (value) write_value(*value);
}

void write_optional(ByteWriter& writer, std::optional<std::uint32_t> number) {
  write_optional(writer, number, [&](std::uint32_t value) { writer.number(value); });
}

std::optional<std::uint32_t> read_optional_number(ByteReader& reader) {
  if (!reader.boolean()) return std::nullopt;
  return reader.number32();
}

void write_numbers(ByteWriter& writer, const std::vector<std::uint32_t>& numbers) {
  base::write_list(writer, numbers, [&](std::uint32_t number) { writer.number(number); });
}

std::vector<std::uint32_t> read_numbers(ByteReader& reader) {
  return base::read_list<std::uint32_t>(reader, 1, [&] { return reader.number32(); });
}

void write_moves(ByteWriter& writer, const std::vector<Move>& moves) {
  base::write_list(writer, moves, [&](const Move& move) {
    const auto& [object, position] = move;
    writer.number(object);
    write(writer, position);
  });
}

std::vector<Move> read_moves(ByteReader& reader) {
  return base::read_list<Move>(reader, 3, [&] {
    const ObjectId object = reader.number32();
    return Move{object, read_point(reader)};
  });
}

void write_selections(ByteWriter& writer, const std::vector<Selection>& selections) {
  base::write_list(writer, selections, [&](const Selection& selection) {
    const auto& [layers, region] = selection;
    write_numbers(writer, layers);
    write_optional(writer, region, [&](const collision::Box& box) { write(writer, box); });
  });
}

std::vector<Selection> read_selections(ByteReader& reader) {
  return base::read_list<Selection>(reader, 2, [&] {
    Selection selection{.layers = read_numbers(reader)};
    if (reader.boolean()) selection.region = read_box(reader);
    return selection;
  });
}

void write_objects(ByteWriter& writer, const Frame& frame) {
  base::write_list(writer, frame.spawns, [&](const collision::ObjectSpec& spec) { write(writer, spec); });
  base::write_list(writer, frame.reshapes, [&](const Reshape& reshape) {
    const auto& [object, parts] = reshape;
    writer.number(object);
    write(writer, std::span<const collision::Part>(parts));
  });
  base::write_list(writer, frame.layer_changes, [&](const LayerChange& change) {
    const auto& [object, part, layer] = change;
    writer.number(object);
    write_optional(writer, part);
    writer.number(layer);
  });
  base::write_list(writer, frame.motions, [&](const MotionChange& change) {
    const auto& [object, motion] = change;
    writer.number(object);
    write(writer, motion);
  });
  base::write_list(writer, frame.disables, [&](const Disable& disable) {
    const auto& [object, until_tick] = disable;
    writer.number(object);
    writer.number(until_tick);
  });
}

void read_objects(ByteReader& reader, Frame& frame) {
  frame.spawns = base::read_list<collision::ObjectSpec>(reader, collision::kSpecBytesMin,
                                                        [&] { return collision::read_spec(reader); });
  frame.reshapes = base::read_list<Reshape>(reader, 2, [&] {
    const ObjectId object = reader.number32();
    return Reshape{object, read_parts(reader, reader.remaining())};
  });
  frame.layer_changes = base::read_list<LayerChange>(reader, 3, [&] {
    LayerChange change{.object = reader.number32(), .part = {}};
    change.part = read_optional_number(reader);
    change.layer = reader.number32();
    return change;
  });
  frame.motions = base::read_list<MotionChange>(reader, 5, [&] {
    const ObjectId object = reader.number32();
    return MotionChange{object, read_motion(reader)};
  });
  frame.disables = base::read_list<Disable>(reader, 2, [&] {
    const ObjectId object = reader.number32();
    return Disable{object, reader.number()};
  });
}

void write_transfers(ByteWriter& writer, const std::vector<Transfer>& transfers) {
  base::write_list(writer, transfers, [&](const Transfer& transfer) {
    const auto& [objects, to, with_stage] = transfer;
    write_numbers(writer, objects);
    writer.number(to);
    writer.boolean(with_stage);
  });
}

std::vector<Transfer> read_transfers(ByteReader& reader) {
  return base::read_list<Transfer>(reader, 3, [&] {
    Transfer transfer{.objects = read_numbers(reader)};
    transfer.to = reader.number32();
    transfer.with_stage = reader.boolean();
    return transfer;
  });
}

void write_claims(ByteWriter& writer, const std::vector<HitClaim>& claims) {
  base::write_list(writer, claims, [&](const HitClaim& claim) {
    const auto& [number, shot, target, shot_part, target_part, tick_seen, tolerance] = claim;
    writer.number(number);
    writer.number(shot);
    writer.number(target);
    write_optional(writer, shot_part);
    write_optional(writer, target_part);
    writer.number(tick_seen);
    writer.number(tolerance);
  });
}

std::vector<HitClaim> read_claims(ByteReader& reader) {
  return base::read_list<HitClaim>(reader, 7, [&] {
    HitClaim claim{.number = reader.number32()};
    claim.shot = reader.number32();
    claim.target = reader.number32();
    claim.shot_part = read_optional_number(reader);
    claim.target_part = read_optional_number(reader);
    claim.tick_seen = reader.number();
    claim.tolerance = reader.number32();
    return claim;
  });
}

}  // namespace

void write(ByteWriter& writer, const Frame& frame) {
  const auto& [tick, acknowledged_tick, spawns, reshapes, layer_changes, moves, relative_moves, teleports,
               motions, freezes, releases, disables, enables, transfers, despawns, mass_despawns, scroll,
               claims, delay_ticks, arrival_tick] = frame;
  writer.number(tick);
  writer.number(acknowledged_tick);
  write_objects(writer, frame);
  write_moves(writer, moves);
  writer.number(relative_moves);
  write_moves(writer, teleports);
  write_selections(writer, freezes);
  write_selections(writer, releases);
  write_numbers(writer, enables);
  write_transfers(writer, transfers);
  write_numbers(writer, despawns);
  write_selections(writer, mass_despawns);
  write_optional(writer, scroll, [&](collision::Point origin) { write(writer, origin); });
  write_claims(writer, claims);
  write_optional(writer, delay_ticks);
  writer.number(arrival_tick);
}

Frame read_frame(ByteReader& reader) {
  Frame frame;
  frame.tick = reader.number();
  frame.acknowledged_tick = reader.number();
  read_objects(reader, frame);
  frame.moves = read_moves(reader);
  frame.relative_moves = reader.number(frame.moves.size());
  frame.teleports = read_moves(reader);
  frame.freezes = read_selections(reader);
  frame.releases = read_selections(reader);
  frame.enables = read_numbers(reader);
  frame.transfers = read_transfers(reader);
  frame.despawns = read_numbers(reader);
  frame.mass_despawns = read_selections(reader);
  if (reader.boolean()) frame.scroll = read_point(reader);
  frame.claims = read_claims(reader);
  frame.delay_ticks = read_optional_number(reader);
  frame.arrival_tick = reader.number();
  return frame;
}

}  // namespace sweepd::match
