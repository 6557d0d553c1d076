// SPDX-License-Identifier: MIT
#include "replay/summary.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "replay/file_format.h"
#include "replay/footer_codec.h"
#include "replay/little_endian.h"

namespace sweepd::replay {
namespace {

constexpr std::size_t kStartBytes = kMagic.size() + sizeof(kFormatVersion);
/// Most headers are much smaller; one with a config of the largest kind is not.
constexpr std::size_t kHeaderBytesTried = std::size_t{64} << 10;
constexpr std::size_t kHeaderBytesMax = kConfigBytesMax + kHeaderBytesTried;
/// It has a place for each chunk and key frame, some 20 bytes.
constexpr std::size_t kFooterBytesMax = std::size_t{16} << 20;

FileFault unreadable(std::uint64_t offset) {
  return {.offset = offset, .what = "the file cannot be read there"};
}

std::optional<FileFault> read_head(std::uint64_t size, const ReadBytes& read, std::size_t bytes, Head& head) {
  const auto start = read(0, static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes)));
  if (!start) return unreadable(0);
  if (!std::string_view(*start).starts_with(kMagic) || start->size() < kStartBytes) {
    return FileFault{.record = "header", .what = "this is no replay file: it begins otherwise"};
  }
  if (!is_readable_version(read_number<std::uint32_t>(std::string_view(*start).substr(kMagic.size())))) {
    return FileFault{.kind = FaultKind::kUnsupportedVersion,
                     .offset = kMagic.size(),
                     .record = "header",
                     .what = "the file is of another format version"};
  }
  const auto item = RecordReader(*start, kStartBytes).next();
  if (!item) return item.error();
  const auto fault = decode(item->record.header(), head);
  if (!fault) return std::nullopt;
  return FileFault{.offset = item->offset, .record = "header", .what = *fault};
}

std::optional<FileFault> read_footer(std::uint64_t size, const ReadBytes& read, Footer& footer) {
  const std::uint64_t trailer_offset = size - kTrailerBytes;
  const auto trailer = read(trailer_offset, kTrailerBytes);
  if (!trailer) return unreadable(trailer_offset);
  const auto offset = read_number<std::uint64_t>(*trailer);
  if (!trailer->ends_with(kEndMagic) || offset < kStartBytes || offset >= trailer_offset ||
      trailer_offset - offset > kFooterBytesMax) {
    return FileFault{.kind = FaultKind::kCutOff, .offset = size, .what = "the file ends without a footer"};
  }
  const auto bytes = read(offset, static_cast<std::size_t>(trailer_offset - offset));
  if (!bytes) return unreadable(offset);
  const auto item = RecordReader(*bytes, 0).next();
  FileFault fault{.offset = offset, .record = "footer"};
  if (!item) fault.what = item.error().what;
  if (item) fault.what = decode(item->record.footer(), footer.ending).value_or("");
  if (item && fault.what.empty()) fault.what = decode(item->record.footer(), footer.receipt).value_or("");
  if (item) footer.records_digest = item->record.footer().link();
  return fault.what.empty() ? std::nullopt : std::optional(fault);
}

}  // namespace

base::Result<Summary, FileFault> read_summary(std::uint64_t size, const ReadBytes& read) {
  if (size < kStartBytes + kTrailerBytes) {
    return FileFault{.kind = FaultKind::kCutOff, .offset = size, .what = "the file is too short to be one"};
  }
  Summary summary;
  auto fault = read_head(size, read, kHeaderBytesTried, summary.head);
  if (fault && fault->kind == FaultKind::kCutOff)
    fault = read_head(size, read, kHeaderBytesMax, summary.head);
  if (!fault) fault = read_footer(size, read, summary.footer);
  if (fault) return *std::move(fault);
  return summary;
}

}  // namespace sweepd::replay
