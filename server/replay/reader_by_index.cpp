// SPDX-License-Identifier: MIT
#include <utility>

#include "replay/file_format.h"
#include "replay/footer_codec.h"
#include "replay/little_endian.h"
#include "replay/reader.h"

namespace sweepd::replay {

base::Result<Reader, FileFault> Reader::open_by_index(std::string_view bytes) {
  Reader reader(bytes);
  RecordReader records(bytes, 0);
  if (auto fault = reader.read_start(records)) return *std::move(fault);
  if (auto fault = reader.read_footer(records.offset())) {
    fault->record = "footer";
    return *std::move(fault);
  }
  return reader;
}

std::optional<FileFault> Reader::read_footer(std::uint64_t records_begin) {
  const auto malformed = [&](std::string what) {
    return FileFault{.offset = footer_offset_, .what = std::move(what)};
  };
  footer_offset_ = bytes_.size();
  if (bytes_.size() < records_begin + kTrailerBytes || !bytes_.ends_with(kEndMagic)) {
    return FileFault{
        .kind = FaultKind::kCutOff, .offset = footer_offset_, .what = "the file ends without one"};
  }
  const auto offset = read_number<std::uint64_t>(bytes_.substr(bytes_.size() - kTrailerBytes));
  if (offset < records_begin || offset > bytes_.size() - kTrailerBytes) {
    return malformed("the last bytes of the file do not lead to it");
  }
  footer_offset_ = offset;
  RecordReader records(bytes_, offset);
  const auto item = records.next();
  if (!item) return item.error();
  if (!item->record.has_footer() || records.rest().size() != kTrailerBytes) {
    return malformed("the last bytes of the file do not lead to it");
  }
  if (Fault fault = take_index(item->record.footer(), records_begin)) return malformed(*std::move(fault));
  Footer footer;
  if (Fault fault = decode(item->record.footer(), footer.ending)) return malformed(*std::move(fault));
  if (Fault fault = decode(item->record.footer(), footer.receipt)) return malformed(*std::move(fault));
  footer.records_digest = item->record.footer().link();
  footer_ = std::move(footer);
  return std::nullopt;
}

/// Whatever is in it: places in the file, and ticks that follow each other.
Reader::Fault Reader::take_index(const v1::Footer& message, std::uint64_t records_begin) {
  const char* kNoIndex = "its index is none of chunks and key frames";
  const auto is_place = [&](std::uint64_t offset) {
    return offset >= records_begin && offset < footer_offset_;
  };
  for (const v1::ChunkPlace& place : message.chunks()) {
    const bool is_possible = is_place(place.offset()) && place.first_tick() == tick_count_ + 1 &&
                             place.tick_count() >= 1 && place.tick_count() <= kContentBytesMax;
    if (!is_possible) return kNoIndex;
    chunks_.push_back({place.first_tick(), place.tick_count(), place.offset()});
    tick_count_ += place.tick_count();
  }
  Tick last = 0;
  for (const v1::KeyFramePlace& place : message.key_frames()) {
    if (!is_place(place.offset()) || place.tick() < last || place.tick() > tick_count_) return kNoIndex;
    key_frames_.push_back({.tick = place.tick(), .offset = place.offset()});
    last = place.tick();
  }
  if (message.tick_count() != tick_count_) return kNoIndex;
  return std::nullopt;
}

}  // namespace sweepd::replay
