// SPDX-License-Identifier: MIT
#include "runtime/journal/inventory.h"

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"

namespace sweepd::runtime {
namespace {

std::uint64_t hash_of(JournalKey key) {
  base::ByteWriter writer;
  writer.word(key);
  return base::hash_bytes(writer.bytes());
}

}  // namespace

void Inventory::add_match(JournalKey key) {
  ++match_count;
  match_sum += hash_of(key);
}

void Inventory::remove_match(JournalKey key) {
  --match_count;
  match_sum -= hash_of(key);
}

std::string encode(const Inventory& inventory) {
  base::ByteWriter writer;
  writer.word(inventory.first_commit);
  writer.word(inventory.last_commit);
  writer.word(inventory.match_count);
  writer.word(inventory.match_sum);
  return writer.take();
}

std::optional<Inventory> decode_inventory(std::string_view bytes) {
  base::ByteReader reader(bytes);
  Inventory inventory;
  inventory.first_commit = reader.word();
  inventory.last_commit = reader.word();
  inventory.match_count = reader.word();
  inventory.match_sum = reader.word();
  reader.finish();
  return reader.ok() ? std::optional(inventory) : std::nullopt;
}

std::string encode(const MatchExtent& extent) {
  base::ByteWriter writer;
  writer.number(extent.last_packed_tick);
  writer.number(extent.last_key_frame_tick);
  writer.boolean(extent.has_state);
  writer.boolean(extent.has_ended);
  return writer.take();
}

std::optional<MatchExtent> decode_extent(std::string_view bytes) {
  base::ByteReader reader(bytes);
  MatchExtent extent;
  extent.last_packed_tick = reader.number();
  extent.last_key_frame_tick = reader.number();
  extent.has_state = reader.boolean();
  extent.has_ended = reader.boolean();
  reader.finish();
  return reader.ok() ? std::optional(extent) : std::nullopt;
}

}  // namespace sweepd::runtime
