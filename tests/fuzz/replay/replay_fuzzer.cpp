// SPDX-License-Identifier: MIT
//
// Protects: no bytes whatsoever make the reader or the verification of replays do more than say what is wrong
// with them. Mutations of whole files mostly end at a sum that is wrong; so inputs are tried in three ways:
// as a file, as the ticks of a chunk that are played, and as a config.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "fuzz/replay/sealed_replay.h"
#include "match/match.h"
#include "replay/comparison.h"
#include "replay/config_codec.h"
#include "replay/cut.h"
#include "replay/player.h"
#include "replay/seeker.h"
#include "replay/tick_decoder.h"
#include "replay/tick_encoder.h"
#include "replay/verification.h"

namespace sweepd::replay {
namespace {

/// What is cut is whole, and of the same course.
void cut_short(std::string_view bytes, std::uint64_t ticks) {
  const auto part = cut(bytes, ticks);
  if (!part) return;
  const auto reader = Reader::open(*part);
  SWEEPD_ASSERT(reader.ok() && reader->footer() && reader->tick_count() == ticks);
  const auto difference = compare(*part, *part);
  SWEEPD_ASSERT(!difference.ok() || !difference->has_value());
}

void read_file(std::string_view bytes) {
  const auto reader = Reader::open(bytes);
  if (reader) {
    for (std::size_t i = 0; i < reader->key_frames().size(); ++i) (void)reader->read_key_frame(i).ok();
  }
  (void)verify(bytes);
  if (reader && reader->tick_count() > 0) cut_short(bytes, reader->tick_count() / 2 + 1);
  const auto by_index = Reader::open_by_index(bytes);
  if (!by_index || by_index->tick_count() > 300) return;
  auto seeker = Seeker::open(*by_index);
  for (Tick tick = by_index->tick_count(); seeker && tick > 0; tick /= 2)
    (void)seeker->seek(tick).has_value();
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
      sweepd::replay::read_file(sweepd::replay::sealed_replay(bytes));
      break;
    case 'C':
      sweepd::replay::read_config(bytes);
      break;
    default:
      sweepd::replay::read_file({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
