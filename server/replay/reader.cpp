// SPDX-License-Identifier: MIT
#include "replay/reader.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "match/digest_version.h"
#include "replay/compression.h"
#include "replay/config_codec.h"
#include "replay/file_format.h"
#include "replay/footer_codec.h"
#include "replay/little_endian.h"

namespace sweepd::replay {
namespace {

constexpr const char* kForeignLink =
    "it does not belong after what stands before it: it is of another replay or another place, or something "
    "before it is missing";

std::optional<FileFault> find_fault_of_start(std::string_view bytes) {
  const std::string_view magic = bytes.substr(0, kMagic.size());
  if (magic != kMagic.substr(0, magic.size()) || magic.empty()) {
    return FileFault{.record = "header", .what = "this is no replay file: it begins otherwise"};
  }
  if (bytes.size() < kMagic.size() + sizeof(kFormatVersion)) {
    return FileFault{
        .kind = FaultKind::kCutOff, .record = "header", .what = "the file ends within its first bytes"};
  }
  const auto version = read_number<std::uint32_t>(bytes.substr(kMagic.size()));
  if (is_readable_version(version)) return std::nullopt;
  return FileFault{.kind = FaultKind::kUnsupportedVersion,
                   .offset = kMagic.size(),
                   .record = "header",
                   .what = "the file is of format version " + std::to_string(version) +
                           "; this build reads " + std::to_string(kOldestFormatVersion) + " to " +
                           std::to_string(kFormatVersion) +
                           (version > kFormatVersion ? ": take a newer one" : "")};
}

/// `rest`: what comes after the footer.
std::optional<std::string> find_fault_of_trailer(std::string_view rest, std::uint64_t footer_offset) {
  if (rest.size() != kTrailerBytes) {
    return std::to_string(rest.size()) + " bytes come after it; must be " + std::to_string(kTrailerBytes);
  }
  if (read_number<std::uint64_t>(rest) != footer_offset || rest.substr(sizeof(std::uint64_t)) != kEndMagic) {
    return "the last bytes of the file do not lead to it";
  }
  return std::nullopt;
}

}  // namespace

base::Result<Reader, FileFault> Reader::open(std::string_view bytes) {
  Reader reader(bytes);
  RecordReader records(bytes, 0);
  if (auto fault = reader.read_start(records)) return *std::move(fault);
  reader.walk(records);
  return reader;
}

std::optional<FileFault> Reader::read_start(RecordReader& records) {
  if (auto fault = find_fault_of_start(bytes_)) return fault;
  records = RecordReader(bytes_, kMagic.size() + sizeof(kFormatVersion));
  auto fault = read_header(records);
  if (fault) fault->record = "header";
  return fault;
}

std::optional<FileFault> Reader::read_header(RecordReader& records) {
  const auto item = records.next();
  if (!item) return item.error();
  const auto malformed = [&](std::string what) {
    return FileFault{.offset = item->offset, .what = std::move(what)};
  };
  if (!item->record.has_header()) return malformed("the first record is none of a header");
  if (Fault fault = decode(item->record.header(), head_)) return malformed(*std::move(fault));
  if (!match::is_known_digest_version(head_.digest_version)) {
    return FileFault{.kind = FaultKind::kUnsupportedVersion,
                     .offset = item->offset,
                     .what = "the match has digests of version " + std::to_string(head_.digest_version) +
                             "; this build knows " + std::to_string(match::kFirstDigestVersion) + " to " +
                             std::to_string(match::kDigestVersion)};
  }
  auto config = decode_config(head_.config_bytes);
  if (!config) return malformed("config: " + config.error().field + " " + config.error().description);
  const auto version = read_number<std::uint32_t>(bytes_.substr(kMagic.size()));
  const std::uint32_t lowest = format_version_of(head_);
  const bool has_later_settings = std::max(version, lowest) > kFormatVersionOfAnyConfig;
  if (has_later_settings && version != lowest)
    return malformed("what it says is none of format version " + std::to_string(version));
  config_ = std::move(config.value());
  chain_.emplace(item->content, head_.digest_version);
  return std::nullopt;
}

void Reader::walk(RecordReader& records) {
  while (!footer_ && !fault_) {
    const auto item = records.next();
    if (!item) {
      fault_ = item.error();
      return;
    }
    FileFault fault{.offset = item->offset};
    if (!take(*item, records.rest(), fault)) fault_ = std::move(fault);
  }
  if (fault_) footer_.reset();
}

bool Reader::take(const RecordReader::Item& item, std::string_view rest, FileFault& fault) {
  Fault what = "the record is none that may stand here";
  if (item.record.has_chunk()) {
    fault.record = "chunk " + std::to_string(chunks_.size() + 1);
    what = take(item.record.chunk(), item.offset);
  } else if (item.record.has_key_frame()) {
    fault.record = "key frame " + std::to_string(key_frames_.size() + 1);
    what = take(item.record.key_frame(), item.offset);
  } else if (item.record.has_footer()) {
    fault.record = "footer";
    footer_offset_ = item.offset;
    what = take(item.record.footer());
    if (!what) what = find_fault_of_trailer(rest, item.offset);
  }
  if (what) fault.what = *std::move(what);
  return fault.what.empty();
}

Reader::Fault Reader::take(const v1::Chunk& chunk, std::uint64_t offset) {
  if (chain_->add(chunk) != chunk.link()) return kForeignLink;
  if (chunk.first_tick() != tick_count_ + 1) {
    return "it begins with tick " + std::to_string(chunk.first_tick()) + "; the next is " +
           std::to_string(tick_count_ + 1);
  }
  if (chunk.tick_count() == 0 || chunk.tick_count() > kContentBytesMax) {
    return "it has " + std::to_string(chunk.tick_count()) + " ticks";
  }
  chunks_.push_back({chunk.first_tick(), chunk.tick_count(), offset});
  tick_count_ += chunk.tick_count();
  return std::nullopt;
}

Reader::Fault Reader::take(const v1::KeyFrame& key_frame, std::uint64_t offset) {
  if (chain_->add(key_frame) != key_frame.link()) return kForeignLink;
  if (key_frame.tick() != tick_count_) {
    return "it is of tick " + std::to_string(key_frame.tick()) + ", and stands after tick " +
           std::to_string(tick_count_);
  }
  key_frames_.push_back(
      {key_frame.tick(), key_frame.digest(), key_frame.version(), offset, key_frame.unix_ms()});
  return std::nullopt;
}

Reader::Fault Reader::take(const v1::Footer& message) {
  if (message.link() != chain_->last()) return "it is of another replay, or something before it is missing";
  if (message.tick_count() != tick_count_) {
    return "it says " + std::to_string(message.tick_count()) + " ticks; there are " +
           std::to_string(tick_count_);
  }
  if (Fault fault = compare_index(message)) return fault;
  Footer footer;
  if (Fault fault = decode(message, footer.ending)) return fault;
  if (Fault fault = decode(message, footer.receipt)) return fault;
  footer.records_digest = message.link();
  footer_ = std::move(footer);
  return std::nullopt;
}

Reader::Fault Reader::compare_index(const v1::Footer& message) const {
  const auto is_chunk = [](const v1::ChunkPlace& place, const ChunkPlace& chunk) {
    return place.first_tick() == chunk.first_tick && place.tick_count() == chunk.tick_count &&
           place.offset() == chunk.offset;
  };
  const auto is_key_frame = [](const v1::KeyFramePlace& place, const KeyFramePlace& key_frame) {
    return place.tick() == key_frame.tick && place.offset() == key_frame.offset;
  };
  const auto& chunks = message.chunks();
  const auto& frames = message.key_frames();
  const bool is_right =
      std::equal(chunks.begin(), chunks.end(), chunks_.begin(), chunks_.end(), is_chunk) &&
      std::equal(frames.begin(), frames.end(), key_frames_.begin(), key_frames_.end(), is_key_frame);
  if (is_right) return std::nullopt;
  return "its index is not of the chunks and key frames that are there";
}

std::size_t Reader::chunk_of(Tick tick) const {
  SWEEPD_ASSERT(tick >= 1 && tick <= tick_count_);
  const auto after =
      std::upper_bound(chunks_.begin(), chunks_.end(), tick,
                       [](Tick wanted, const ChunkPlace& chunk) { return wanted < chunk.first_tick; });
  return static_cast<std::size_t>(after - chunks_.begin()) - 1;
}

FileFault Reader::place(std::size_t chunk, const TickFault& fault) const {
  return {.offset = chunks_.at(chunk).offset,
          .record = "chunk " + std::to_string(chunk + 1),
          .tick = fault.tick,
          .what = fault.what};
}

FileFault Reader::place_of_key_frame(std::size_t index, std::string what) const {
  const KeyFramePlace& place = key_frames_.at(index);
  return {.offset = place.offset,
          .record = "key frame " + std::to_string(index + 1),
          .tick = place.tick,
          .what = std::move(what)};
}

base::Result<TickDecoder, FileFault> Reader::open_chunk(std::size_t index) const {
  const ChunkPlace& chunk = chunks_.at(index);
  const auto refuse = [&](std::string what) { return place(index, {.what = std::move(what)}); };
  const auto item = RecordReader(bytes_, chunk.offset).next();
  if (!item || !item->record.has_chunk()) return refuse("there is no chunk");
  const auto content = decompress(item->record.chunk().content(), kContentBytesMax);
  if (!content) {
    return refuse("its content cannot be unpacked, or is more than " + std::to_string(kContentBytesMax) +
                  " bytes");
  }
  auto ticks = TickDecoder::open(*content);
  if (!ticks) return place(index, ticks.error());
  if (ticks->first_tick() != chunk.first_tick || ticks->tick_count() != chunk.tick_count) {
    return refuse("it holds the " + std::to_string(ticks->tick_count()) + " ticks from " +
                  std::to_string(ticks->first_tick()) + " on, and says " + std::to_string(chunk.tick_count) +
                  " from " + std::to_string(chunk.first_tick));
  }
  return std::move(ticks.value());
}

std::uint64_t Reader::unpacked_bytes_at(std::uint64_t offset) const {
  const auto item = RecordReader(bytes_, offset).next();
  if (!item) return 0;
  return unpacked_bytes(item->record.has_chunk() ? item->record.chunk().content()
                                                 : item->record.key_frame().content());
}

base::Result<std::vector<TickRecord>, FileFault> Reader::read_chunk(std::size_t index) const {
  auto ticks = open_chunk(index);
  if (!ticks) return ticks.error();
  std::vector<TickRecord> records;
  while (!ticks->is_done()) {
    auto record = ticks->next();
    if (!record) return place(index, record.error());
    records.push_back(std::move(record.value()));
  }
  return records;
}

base::Result<KeyFrame, FileFault> Reader::read_key_frame(std::size_t index) const {
  const KeyFramePlace& place = key_frames_.at(index);
  const auto item = RecordReader(bytes_, place.offset).next();
  if (!item || !item->record.has_key_frame()) return place_of_key_frame(index, "there is no key frame");
  const v1::KeyFrame& message = item->record.key_frame();
  if (message.tick() != place.tick) return place_of_key_frame(index, "it is of another tick");
  auto content = decompress(message.content(), kContentBytesMax);
  if (!content) {
    return place_of_key_frame(index, "its content cannot be unpacked, or is too large");
  }
  return KeyFrame{message.tick(), message.digest(), message.version(), *std::move(content),
                  message.unix_ms()};
}

}  // namespace sweepd::replay
