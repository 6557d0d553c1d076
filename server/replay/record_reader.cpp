// SPDX-License-Identifier: MIT
#include "replay/record_reader.h"

#include "base/hash.h"
#include "replay/file_format.h"
#include "replay/little_endian.h"
#include "replay/varint.h"

namespace sweepd::replay {

std::string text_of(const FileFault& fault) {
  std::string text = "byte " + std::to_string(fault.offset);
  if (!fault.record.empty()) text += ", " + fault.record;
  if (fault.tick != 0) text += ", tick " + std::to_string(fault.tick);
  return text + ": " + fault.what;
}

base::Result<RecordReader::Item, FileFault> RecordReader::next() {
  if (rest().empty()) return cut_off("the file ends without a footer");
  VarintReader numbers(rest());
  const std::optional<std::uint64_t> length = numbers.next();
  // No length that is allowed takes more than five bytes.
  if (!length && rest().size() < 5) return cut_off("the file ends within a record's length");
  if (!length || *length > kRecordBytesMax) {
    return malformed("a record's length is more than " + std::to_string(kRecordBytesMax) + " bytes");
  }
  const std::size_t begin = rest().size() - numbers.bytes_left();
  if (numbers.bytes_left() < *length + kChecksumBytes) {
    return cut_off("the file ends within a record of " + std::to_string(*length) + " bytes, of which only " +
                   std::to_string(numbers.bytes_left()) + " are left");
  }
  const std::string_view content = rest().substr(begin, *length);
  const auto sum = read_number<std::uint64_t>(rest().substr(begin + *length));
  if (sum != base::hash_bytes(content)) return malformed("the record is damaged: its sum is another");
  Item item{.offset = offset_, .content = content};
  if (!item.record.ParseFromArray(content.data(), static_cast<int>(content.size()))) {
    return malformed("the record is no message of one");
  }
  offset_ += begin + *length + kChecksumBytes;
  return item;
}

}  // namespace sweepd::replay
