// SPDX-License-Identifier: MIT
//
// Protects what the server reads beside its gRPC door: connections' first bytes, and its own files after
// something else has written to them. What is whole is read back as it was written, what is not is told of,
// and neither takes more memory than the bytes are long.
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "base/assert.h"
#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"
#include "fuzz/decoders/decoder_table.h"
#include "fuzz/decoders/memory_file.h"
#include "replay/packed_ticks.h"
#include "replay/tick_encoder.h"
#include "runtime/budgets/budget_key.h"
#include "runtime/connections/address_range.h"
#include "runtime/connections/proxy_header.h"
#include "runtime/journal/group_commit.h"
#include "runtime/journal/inventory.h"
#include "runtime/journal/match_key_frame.h"
#include "runtime/journal/match_origin.h"
#include "runtime/journal/recent_ticks.h"
#include "runtime/journal/seal.h"
#include "runtime/journal/sqlite.h"
#include "runtime/journal/stored_state.h"
#include "runtime/journal/wal_check.h"
#include "runtime/journal/witness.h"

namespace sweepd::fuzz {
namespace {

using namespace sweepd::runtime;

/// The library would tell of each message that is wrong.
const google::protobuf::LogSilencer kSilencer;

/// Of a connection nothing is known until enough of it is there: more bytes never change what is said.
void read_proxy_header(std::string_view bytes) {
  const ProxyHeader header = parse_proxy_header(bytes);
  using State = ProxyHeader::State;
  SWEEPD_ASSERT(header.state == State::kComplete || (header.bytes == 0 && !header.client));
  for (std::size_t size = 0; size < std::min<std::size_t>(bytes.size(), 64); ++size) {
    const ProxyHeader part = parse_proxy_header(bytes.substr(0, size));
    SWEEPD_ASSERT(part.state == State::kIncomplete ||
                  (part.state == header.state && part.bytes == header.bytes && part.client == header.client &&
                   part.common_name == header.common_name));
  }
  if (header.state == State::kIncomplete) SWEEPD_ASSERT(bytes.size() < ProxyHeader::kBytesMax);
  if (header.state != State::kComplete) return;
  SWEEPD_ASSERT(header.bytes <= std::min(bytes.size(), ProxyHeader::kBytesMax));
  if (header.client) SWEEPD_ASSERT(!key_of_address(*header.client).empty());
  SWEEPD_ASSERT(header.common_name.empty() || (header.client && header.common_name.size() <= 256));
}

void read_address_range(std::string_view bytes) {
  const std::string text(bytes);
  const auto range = AddressRange::parse(text);
  if (!range) return;
  SWEEPD_ASSERT(range->contains(boost::asio::ip::make_address(text.substr(0, text.find('/')))));
}

/// What is read is written back so that it is read as the same.
template <auto kDecode>
void read_record(std::string_view bytes) {
  const auto value = kDecode(bytes);
  if (!value) return;
  const std::string encoded = encode(*value);
  const auto again = kDecode(encoded);
  SWEEPD_ASSERT(again && encode(*again) == encoded);
}

void read_seal(std::string_view bytes) {
  const SealedPlace place{SealedKind::kState, 7, 1, 2};
  SWEEPD_ASSERT(unsealed(place, sealed(place, std::string(bytes))) == bytes);
  SWEEPD_ASSERT(!unsealed({SealedKind::kState, 7, 1, 3}, sealed(place, std::string(bytes))));
  const auto content = unsealed(place, bytes);
  if (content) SWEEPD_ASSERT(sealed(place, std::string(*content)) == bytes);
}

void read_ticks(const LoggedTicks& ticks) {
  const auto parts = split_ticks(ticks);
  match::Tick tick = ticks.first_tick;
  for (const std::string_view part : parts) {
    const auto record = decode_tick({tick++, part});
    if (!record) continue;
    replay::TickEncoder encoder;
    encoder.add(*record);
    const std::string encoded = encoder.take();
    SWEEPD_ASSERT(decode_tick({record->tick, encoded}).has_value());
  }
}

/// The first byte says how many entries the directory has; sums are as they should be.
void read_commit(std::string_view bytes) {
  base::ByteReader reader(bytes);
  const std::size_t entries = reader.byte() % 4;
  GroupCommit commit;
  base::ByteWriter directory;
  std::vector<std::array<std::uint64_t, 5>> rows(entries);
  for (auto& row : rows) {
    for (std::uint64_t& number : row) number = reader.number();
  }
  commit.content = std::string(reader.raw(reader.remaining()));
  for (const auto& row : rows) {
    base::ByteWriter entry;
    for (const std::uint64_t number : row) entry.word(number);
    const std::string_view content = commit.content;
    entry.word(base::hash_bytes(content.substr(std::min(row[3], content.size()), row[4])));
    entry.word(base::hash_bytes(entry.bytes()));
    directory.raw(entry.bytes());
  }
  directory.word(base::hash_bytes(directory.bytes()));
  commit.directory = directory.take();
  std::vector<CommitDamage> damage;
  const auto all = decode_ticks(commit, damage);
  SWEEPD_ASSERT(all.size() + damage.size() == entries);
  for (const LoggedTicks& ticks : all) read_ticks(ticks);
  for (const CommitDamage& found : damage) SWEEPD_ASSERT(!found.what.empty());
}

/// The directory as it is, sums included.
void read_raw_commit(std::string_view bytes) {
  const std::size_t size = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  const std::string_view rest = bytes.substr(std::min<std::size_t>(1, bytes.size()));
  const GroupCommit commit{std::string(rest.substr(0, size)),
                           std::string(rest.substr(std::min(size, rest.size())))};
  std::vector<CommitDamage> damage;
  for (const LoggedTicks& ticks : decode_ticks(commit, damage)) read_ticks(ticks);
}

void read_segment(std::string_view bytes) {
  base::ByteReader reader(bytes);
  replay::PackedTicks ticks{.first_tick = reader.number(), .tick_count = reader.number()};
  ticks.content = reader.raw(reader.remaining());
  const auto records = unpack(ticks);
  if (!records) return;
  SWEEPD_ASSERT(records->size() == ticks.tick_count && records->back().tick == ticks.last_tick());
  const auto pieces = replay::pack(*records, 1);
  SWEEPD_ASSERT(!pieces.empty() && unpack(pieces.front()));
}

void read_witness(std::string_view bytes) {
  const auto contents = Witness::read(memory_file(bytes));
  SWEEPD_ASSERT(contents && (contents->entries.size() + contents->damaged_entries) * 64 <= bytes.size() + 64);
  // The same with sums that are right.
  constexpr std::size_t kSlotBytes = 64;
  constexpr std::size_t kSummedBytes = 48;
  std::string file = "SWPWITN1" + std::string(bytes);
  for (std::size_t at = kSlotBytes; at + kSlotBytes <= file.size(); at += kSlotBytes) {
    base::ByteWriter sum;
    sum.word(base::hash_bytes(std::string_view(file).substr(at, kSummedBytes)));
    file.replace(at + kSummedBytes, sizeof(std::uint64_t), sum.bytes());
  }
  const auto mended = Witness::read(memory_file(file));
  SWEEPD_ASSERT(mended && mended->damaged_entries == 0);
  for (const Witness::Entry& entry : mended->entries) SWEEPD_ASSERT(entry.id.size() <= 32);
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

/// A log whose header has the sum that it should have: SQLite's, of big-endian words.
std::string with_good_header(std::string_view bytes) {
  std::string file("\x37\x7f\x06\x83", 4);
  file += bytes;
  file.resize(std::max<std::size_t>(file.size(), 32), '\0');
  std::uint32_t sums[2] = {0, 0};
  for (std::size_t at = 0; at < 24; at += 8) {
    sums[0] += big_endian(file, at) + sums[1];
    sums[1] += big_endian(file, at + 4) + sums[0];
  }
  for (std::size_t i = 0; i < 8; ++i) file[24 + i] = static_cast<char>(sums[i / 4] >> (24 - i % 4 * 8));
  return file;
}

void read_write_ahead_log(std::string_view bytes) {
  for (const std::string& file : {std::string(bytes), with_good_header(bytes)}) {
    const auto damage = find_wal_damage(memory_file(file));
    if (!damage) continue;
    SWEEPD_ASSERT(damage->commits >= 1 && damage->commits <= damage->frames && damage->offset < file.size());
    SWEEPD_ASSERT(!describe(*damage).empty());
  }
}

constexpr Decoder kDecoders[] = {
    {"proxy_header", read_proxy_header},
    {"address_range", read_address_range},
    {"match_origin", read_record<decode_origin>},
    {"match_key_frame", read_record<decode_key_frame>},
    {"stored_state", read_record<decode_state>},
    {"inventory", read_record<decode_inventory>},
    {"match_extent", read_record<decode_extent>},
    {"seal", read_seal},
    {"commit", read_commit},
    {"raw_commit", read_raw_commit},
    {"segment", read_segment},
    {"witness", read_witness},
    {"write_ahead_log", read_write_ahead_log},
};

}  // namespace
}  // namespace sweepd::fuzz

SWEEPD_FUZZ_DECODERS(sweepd::fuzz::kDecoders)
