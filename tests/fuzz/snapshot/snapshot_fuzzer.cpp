// SPDX-License-Identifier: MIT
//
// Protects Match::restore from whoever makes snapshots up: whatever the sections hold, with hashes that fit,
// comes an error or a match that can be played, asked and saved.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"
#include "property/snapshot/golden_match.h"

namespace {

using sweepd::match::Match;

/// The same with hashes that fit, as far as its sections go.
std::string sealed(std::string_view snapshot) {
  sweepd::base::ByteReader reader(snapshot);
  sweepd::base::ByteWriter writer;
  writer.raw(reader.raw(13));
  while (reader.ok() && reader.remaining() > 0) {
    const std::uint8_t section = reader.byte();
    const std::string_view content = reader.raw(reader.count());
    reader.word();
    writer.byte(section);
    writer.text(content);
    writer.word(sweepd::base::hash_bytes(content, section));
  }
  return writer.take();
}

void play(Match& match) {
  for (int i = 0; i < 6; ++i) {
    sweepd::property::play_golden_tick(match);
    const auto known = match.known_ticks();
    match.encounters_at(known.first);
    match.world_at(known.first);
    match.judge({.number = 1, .arrival_tick = match.tick()},
                {.shot = 1001, .target = 1, .tick_seen = known.first + 1});
  }
  if (!Match::restore(sweepd::property::golden_config(), match.save())) std::abort();
  match.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto match = Match::restore(sweepd::property::golden_config(), sealed(bytes));
  if (match) play(**match);
  return 0;
}
