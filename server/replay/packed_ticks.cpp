// SPDX-License-Identifier: MIT
#include "replay/packed_ticks.h"

#include <utility>

#include "replay/compression.h"
#include "replay/file_format.h"
#include "replay/tick_encoder.h"

namespace sweepd::replay {
namespace {

/// Takes what the encoder has; false where it is more than a chunk may hold.
bool close(TickEncoder& encoder, PackedTicks& piece, int compression_level) {
  piece.first_tick = encoder.first_tick();
  piece.tick_count = encoder.tick_count();
  const std::string content = encoder.take();
  if (content.size() > kContentBytesMax) return false;
  piece.content = compress(content, compression_level);
  return true;
}

}  // namespace

std::vector<PackedTicks> pack(const std::vector<TickRecord>& records, int compression_level) {
  std::vector<PackedTicks> pieces;
  TickEncoder encoder;
  for (const TickRecord& record : records) {
    encoder.add(record);
    if (encoder.byte_count() < kChunkBytesAimed && &record != &records.back()) continue;
    PackedTicks piece{.last_digest = record.digest};
    if (!close(encoder, piece, compression_level)) return pieces;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace sweepd::replay
