// SPDX-License-Identifier: MIT
#include "runtime/feed/packed_events.h"

namespace sweepd::runtime {

namespace {

/// The first byte of an event: its reason, and what of the rest has to be said.
constexpr std::uint8_t kReasonBits = 0x0F;
constexpr std::uint8_t kHasParts = 0x10;   ///< Other than the first two.
constexpr std::uint8_t kHasTime = 0x20;    ///< Other than the end of the tick.
constexpr std::uint8_t kHasLayers = 0x40;  ///< Other than the event before.
constexpr std::uint8_t kHasOwners = 0x80;

std::uint8_t head_of(const collision::Event& event, const collision::Event& before) {
  static_assert(static_cast<std::uint8_t>(collision::ExitReason::kDestroyed) <= kReasonBits);
  auto head = static_cast<std::uint8_t>(event.reason);
  if (event.parts != collision::PartPair{}) head |= kHasParts;
  if (event.time_of_impact != collision::kEndOfTick) head |= kHasTime;
  if (event.key.layer_a != before.key.layer_a || event.key.layer_b != before.key.layer_b) head |= kHasLayers;
  if (event.owners != before.owners) head |= kHasOwners;
  return head;
}

/// Two small numbers, as most are, in one byte.
constexpr std::uint32_t kSmall = 8;

void write_pair(base::ByteWriter& writer, std::uint8_t a, std::uint8_t b) {
  const bool is_small = a < kSmall && b < kSmall;
  writer.number(is_small ? a + kSmall * b : kSmall * kSmall + a + 256u * b);
}

void read_pair(base::ByteReader& reader, std::uint8_t& a, std::uint8_t& b) {
  const std::uint64_t bits = reader.number();
  const bool is_small = bits < kSmall * kSmall;
  const std::uint64_t pair = is_small ? bits : bits - kSmall * kSmall;
  const std::uint64_t base = is_small ? kSmall : 256;
  a = static_cast<std::uint8_t>(pair % base);
  b = static_cast<std::uint8_t>(pair / base);
}

void write(base::ByteWriter& writer, const collision::Event& event, const collision::Event& before) {
  const std::uint8_t head = head_of(event, before);
  writer.byte(head);
  // Events of a group are sorted by the first id.
  writer.signed_number(std::int64_t{event.key.object_a} - before.key.object_a);
  writer.signed_number(std::int64_t{event.key.object_b} - event.key.object_a);
  if ((head & kHasParts) != 0) write_pair(writer, event.parts.part_a, event.parts.part_b);
  if ((head & kHasTime) != 0) writer.number(event.time_of_impact);
  if ((head & kHasLayers) != 0) write_pair(writer, event.key.layer_a, event.key.layer_b);
  if ((head & kHasOwners) != 0) write_pair(writer, event.owners.a, event.owners.b);
}

/// `event`: the one before, if any.
void read_next(base::ByteReader& reader, collision::Event& event) {
  const std::uint8_t head = reader.byte();
  event.reason = static_cast<collision::ExitReason>(head & kReasonBits);
  event.kind = event.reason == collision::ExitReason::kNone ? collision::EventKind::kEnter
                                                            : collision::EventKind::kExit;
  event.key.object_a = static_cast<collision::ObjectId>(event.key.object_a + reader.signed_number());
  event.key.object_b = static_cast<collision::ObjectId>(event.key.object_a + reader.signed_number());
  event.parts = {};
  if ((head & kHasParts) != 0) read_pair(reader, event.parts.part_a, event.parts.part_b);
  event.time_of_impact = collision::kEndOfTick;
  if ((head & kHasTime) != 0) event.time_of_impact = static_cast<collision::TimeOfImpact>(reader.number());
  if ((head & kHasLayers) != 0) read_pair(reader, event.key.layer_a, event.key.layer_b);
  if ((head & kHasOwners) != 0) read_pair(reader, event.owners.a, event.owners.b);
}

}  // namespace

void pack(base::ByteWriter& writer, std::span<const collision::Event> events) {
  collision::Event before;
  for (const collision::Event& event : events) {
    write(writer, event, before);
    before = event;
  }
}

void unpack(base::ByteReader& reader, std::size_t count, collision::Tick tick, std::uint64_t sequence_number,
            std::vector<collision::Event>& events) {
  collision::Event event;
  event.sequence_number = sequence_number;
  event.tick = tick;
  events.reserve(events.size() + count);
  for (std::size_t i = 0; i < count; ++i, ++event.sequence_number) {
    read_next(reader, event);
    events.push_back(event);
  }
}

}  // namespace sweepd::runtime
