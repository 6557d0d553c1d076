// SPDX-License-Identifier: MIT
//
// Protects: no bytes whatsoever make the reader or the verification of replays do more than say what is wrong
// with them. Mutations of whole files mostly end at a sum that is wrong; so inputs are tried in three ways:
// as a file, as the ticks of a chunk that are played, and as a config.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "base/hash.h"
#include "match/match.h"
#include "replay/config_codec.h"
#include "replay/file_format.h"
#include "replay/little_endian.h"
#include "replay/player.h"
#include "replay/record_chain.h"
#include "replay/seeker.h"
#include "replay/sha256.h"
#include "replay/tick_decoder.h"
#include "replay/tick_encoder.h"
#include "replay/varint.h"
#include "replay/verification.h"

namespace sweepd::replay {
namespace {

void read_file(std::string_view bytes) {
  const auto reader = Reader::open(bytes);
  if (reader) {
    for (std::size_t i = 0; i < reader->key_frames().size(); ++i) (void)reader->read_key_frame(i).ok();
  }
  (void)verify(bytes);
  const auto by_index = Reader::open_by_index(bytes);
  if (!by_index || by_index->tick_count() > 300) return;
  auto seeker = Seeker::open(*by_index);
  for (Tick tick = by_index->tick_count(); seeker && tick > 0; tick /= 2)
    (void)seeker->seek(tick).has_value();
}

/// Records as a file has them, but for their sums; with those, and right links, they get further.
std::string seal(std::string_view records) {
  std::string file(kMagic);
  append_number(file, kFormatVersion);
  std::uint64_t footer = 0;
  std::optional<RecordChain> chain;
  while (!records.empty()) {
    VarintReader reader(records);
    const auto length = reader.next();
    if (!length || *length > reader.bytes_left()) break;
    const std::string_view content = records.substr(records.size() - reader.bytes_left(), *length);
    records = records.substr(records.size() - reader.bytes_left() + *length);
    v1::Record record;
    if (!record.ParseFromArray(content.data(), static_cast<int>(content.size()))) continue;
    if (record.has_header()) {
      record.mutable_header()->set_config_digest(sha256({record.header().config()}));
      chain.emplace(record.SerializeAsString());
    }
    if (chain && record.has_chunk()) record.mutable_chunk()->set_link(chain->add(record.chunk()));
    if (chain && record.has_key_frame()) record.mutable_key_frame()->set_link(chain->add(record.key_frame()));
    if (chain && record.has_footer()) record.mutable_footer()->set_link(chain->last());
    if (record.has_footer()) footer = file.size();
    const std::string sealed = record.SerializeAsString();
    append_varint(file, sealed.size());
    file += sealed;
    append_number(file, base::hash_bytes(sealed));
  }
  append_number(file, footer);
  return file + std::string(kEndMagic);
}

std::unique_ptr<match::Match> new_match() {
  match::MatchConfig config;
  config.layers = {"player", "shot", "enemy"};
  config.collides = {{"player", "enemy"}, {"shot", "enemy"}};
  config.masks.push_back({3, 2, 100, "\x05\x03"});
  config.claims.policy = match::ClaimPolicy::kEnforce;
  config.scoring.push_back({.name = "hit", .layer_a = "shot", .layer_b = "enemy", .points = 10});
  return std::move(match::Match::create(std::move(config)).value());
}

/// Digests are hardly ever right, so each tick is played by whatever digest it has.
void play_ticks(std::string_view bytes) {
  const auto records = decode_ticks(bytes);
  if (!records) return;
  TickEncoder encoder;
  for (const TickRecord& record : *records) encoder.add(record);
  const auto again = decode_ticks(encoder.take());
  SWEEPD_ASSERT(again.ok() && again->size() == records->size());
  Player player(new_match());
  Tick tick = 0;
  for (TickRecord record : *records) {
    record.tick = ++tick;
    const bool is_last = record.ends_match;
    (void)player.play(std::move(record)).has_value();
    if (is_last || player.match().tick() != tick || tick == 300) break;
  }
}

void read_config(std::string_view bytes) {
  auto config = decode_config(bytes);
  if (!config) return;
  const std::string encoded = encode_config(*config);
  const auto again = decode_config(encoded);
  SWEEPD_ASSERT(again.ok() && encode_config(*again) == encoded);
  const auto match = match::Match::create(std::move(config.value()));
  if (match) match.value()->step();
}

}  // namespace
}  // namespace sweepd::replay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'T':
      sweepd::replay::play_ticks(bytes);
      break;
    case 'R':
      sweepd::replay::read_file(sweepd::replay::seal(bytes));
      break;
    case 'C':
      sweepd::replay::read_config(bytes);
      break;
    default:
      sweepd::replay::read_file({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
