// SPDX-License-Identifier: MIT
#include "runtime/journal/match_key_frame.h"

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "replay/file_format.h"
#include "replay/stored.h"

namespace sweepd::runtime {

std::string encode(const MatchKeyFrame& key_frame) {
  base::ByteWriter writer;
  writer.number(key_frame.tick);
  writer.word(key_frame.digest);
  writer.number(key_frame.version);
  writer.text(replay::encode_ending({.cast = key_frame.cast}));
  writer.text(key_frame.snapshot);
  if (key_frame.unix_ms != 0) writer.signed_number(key_frame.unix_ms);
  return writer.take();
}

std::optional<MatchKeyFrame> decode_key_frame(std::string_view bytes) {
  base::ByteReader reader(bytes);
  MatchKeyFrame key_frame;
  key_frame.tick = reader.number();
  key_frame.digest = reader.word();
  key_frame.version = reader.number32();
  const auto ending = replay::decode_ending(reader.text(replay::kRecordBytesMax));
  key_frame.snapshot = reader.text(replay::kRecordBytesMax);
  if (reader.remaining() > 0) {
    key_frame.unix_ms = reader.signed_number();
    reader.require(key_frame.unix_ms != 0, "is a time that need not be said");
  }
  reader.finish();
  if (!reader.ok() || !ending) return std::nullopt;
  key_frame.cast = ending->cast;
  return key_frame;
}

}  // namespace sweepd::runtime
