// SPDX-License-Identifier: MIT
#include "runtime/journal/seal.h"

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kSumBytes = sizeof(std::uint64_t);

std::uint64_t sum_of(const SealedPlace& place, std::string_view content) {
  base::ByteWriter writer;
  writer.byte(static_cast<std::uint8_t>(place.kind));
  writer.word(place.match);
  writer.word(place.first_tick);
  writer.word(place.last_tick);
  writer.word(base::hash_bytes(content));
  return base::hash_bytes(writer.bytes());
}

}  // namespace

std::string sealed(const SealedPlace& place, std::string content) {
  base::ByteWriter sum;
  sum.word(sum_of(place, content));
  content += sum.bytes();
  return content;
}

std::optional<std::string_view> unsealed(const SealedPlace& place, std::string_view blob) {
  if (blob.size() < kSumBytes) return std::nullopt;
  const std::string_view content = blob.substr(0, blob.size() - kSumBytes);
  if (base::ByteReader(blob.substr(content.size())).word() != sum_of(place, content)) return std::nullopt;
  return content;
}

}  // namespace sweepd::runtime
