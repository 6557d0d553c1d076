// SPDX-License-Identifier: MIT
#include "runtime/journal/match_origin.h"

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "replay/file_format.h"
#include "replay/stored.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kBudgetKeyBytesMax = 512;

}  // namespace

std::string encode(const MatchOrigin& origin) {
  base::ByteWriter writer;
  writer.text(origin.id);
  writer.signed_number(origin.create_time_unix_ms);
  writer.text(replay::encode_head(origin.head));
  if (!origin.budget_key.empty()) writer.text(origin.budget_key.text());
  return writer.take();
}

std::optional<MatchOrigin> decode_origin(std::string_view bytes) {
  base::ByteReader reader(bytes);
  MatchOrigin origin;
  origin.id = MatchId(reader.text(replay::kIdBytesMax));
  origin.create_time_unix_ms = reader.signed_number();
  auto head = replay::decode_head(reader.text(replay::kRecordBytesMax));
  if (reader.remaining() > 0) {
    origin.budget_key = std::string(reader.text(kBudgetKeyBytesMax));
    reader.require(!origin.budget_key.empty(), "is no key");
  }
  reader.finish();
  if (!reader.ok() || !head) return std::nullopt;
  origin.head = *std::move(head);
  return origin;
}

}  // namespace sweepd::runtime
