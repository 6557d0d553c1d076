// SPDX-License-Identifier: MIT
#include "recordings/forgery.h"

#include "base/assert.h"
#include "base/hash.h"
#include "replay/compression.h"
#include "replay/file_format.h"
#include "replay/footer_codec.h"
#include "replay/little_endian.h"
#include "replay/record_chain.h"
#include "replay/record_reader.h"
#include "replay/sha256.h"
#include "replay/tick_decoder.h"
#include "replay/tick_encoder.h"
#include "replay/varint.h"

namespace sweepd::recordings {
namespace {

std::size_t size_of(const replay::v1::Record& record) {
  std::string length;
  replay::append_varint(length, record.ByteSizeLong());
  return length.size() + record.ByteSizeLong() + replay::kChecksumBytes;
}

}  // namespace

Forgery::Forgery(std::string_view replay) {
  replay::RecordReader reader(replay, replay::kMagic.size() + sizeof(replay::kFormatVersion));
  while (records.empty() || !records.back().has_footer()) {
    auto item = reader.next();
    SWEEPD_ASSERT(item.ok());
    records.push_back(item->record);
  }
}

std::vector<std::size_t> Forgery::chunks() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].has_chunk()) indices.push_back(i);
  }
  return indices;
}

std::vector<replay::TickRecord> Forgery::ticks_of(std::size_t record) const {
  const auto content = replay::decompress(records[record].chunk().content(), replay::kContentBytesMax);
  SWEEPD_ASSERT(content.has_value());
  auto ticks = replay::decode_ticks(*content);
  SWEEPD_ASSERT(ticks.ok());
  return std::move(ticks.value());
}

void Forgery::set_ticks(std::size_t record, const std::vector<replay::TickRecord>& ticks) {
  replay::TickEncoder encoder;
  for (const replay::TickRecord& tick : ticks) encoder.add(tick);
  replay::v1::Chunk& chunk = *records[record].mutable_chunk();
  chunk.set_first_tick(ticks.front().tick);
  chunk.set_tick_count(ticks.size());
  chunk.set_content(replay::compress(encoder.take(), 3));
}

std::vector<std::size_t> Forgery::key_frames() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].has_key_frame()) indices.push_back(i);
  }
  return indices;
}

std::string Forgery::content_of_key_frame(std::size_t record) const {
  auto content = replay::decompress(records[record].key_frame().content(), replay::kContentBytesMax);
  SWEEPD_ASSERT(content.has_value());
  return *std::move(content);
}

void Forgery::set_content_of_key_frame(std::size_t record, std::string_view content) {
  records[record].mutable_key_frame()->set_content(replay::compress(content, 3));
}

void Forgery::make_consistent() {
  header().set_config_digest(replay::sha256({header().config()}));
  replay::RecordChain chain(records.front().SerializeAsString(), header().digest_version());
  footer().clear_chunks();
  footer().clear_key_frames();
  std::uint64_t ticks = 0;
  std::uint64_t offset = replay::kMagic.size() + sizeof(replay::kFormatVersion);
  for (replay::v1::Record& record : records) {
    if (record.has_chunk()) {
      replay::v1::Chunk& chunk = *record.mutable_chunk();
      chunk.set_link(chain.add(chunk));
      ticks += chunk.tick_count();
      auto& place = *footer().add_chunks();
      place.set_first_tick(chunk.first_tick());
      place.set_tick_count(chunk.tick_count());
      place.set_offset(offset);
    } else if (record.has_key_frame()) {
      replay::v1::KeyFrame& key_frame = *record.mutable_key_frame();
      key_frame.set_link(chain.add(key_frame));
      auto& place = *footer().add_key_frames();
      place.set_tick(key_frame.tick());
      place.set_offset(offset);
    }
    if (!record.has_footer()) offset += size_of(record);
  }
  footer().set_tick_count(ticks);
  footer().set_link(chain.last());
}

std::string Forgery::bytes() const {
  std::string bytes(replay::kMagic);
  replay::Head head;
  static_cast<void>(replay::decode(records.front().header(), head));
  replay::append_number(bytes, replay::format_version_of(head));
  std::uint64_t footer_offset = 0;
  for (const replay::v1::Record& record : records) {
    if (record.has_footer()) footer_offset = bytes.size();
    const std::string content = record.SerializeAsString();
    replay::append_varint(bytes, content.size());
    bytes += content;
    replay::append_number(bytes, base::hash_bytes(content));
  }
  replay::append_number(bytes, footer_offset);
  bytes += replay::kEndMagic;
  return bytes;
}

}  // namespace sweepd::recordings
