// SPDX-License-Identifier: MIT
#include "runtime/journal/match_origin.h"

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "replay/file_format.h"
#include "replay/stored.h"

namespace sweepd::runtime {

std::string encode(const MatchOrigin& origin) {
  base::ByteWriter writer;
  writer.text(origin.id);
  writer.signed_number(origin.create_time_unix_ms);
  writer.text(replay::encode_head(origin.head));
  return writer.take();
}

std::optional<MatchOrigin> decode_origin(std::string_view bytes) {
  base::ByteReader reader(bytes);
  MatchOrigin origin;
  origin.id = MatchId(reader.text(replay::kIdBytesMax));
  origin.create_time_unix_ms = reader.signed_number();
  auto head = replay::decode_head(reader.text(replay::kRecordBytesMax));
  reader.finish();
  if (!reader.ok() || !head) return std::nullopt;
  origin.head = *std::move(head);
  return origin;
}

}  // namespace sweepd::runtime
