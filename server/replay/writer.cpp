// SPDX-License-Identifier: MIT
#include "replay/writer.h"

#include <utility>

#include "base/assert.h"
#include "base/hash.h"
#include "replay/compression.h"
#include "replay/config_codec.h"
#include "replay/file_format.h"
#include "replay/footer_codec.h"
#include "replay/little_endian.h"
#include "replay/varint.h"

namespace sweepd::replay {
Writer::Writer(const Head& head, WriterOptions options) : head_(head), options_(options) {
  SWEEPD_ASSERT(options_.ticks_per_chunk >= 1);
  bytes_ += kMagic;
  append_number(bytes_, format_version_of(head_));
  offset_ = bytes_.size();
  v1::Record record;
  encode(head_, *record.mutable_header());
  chain_.emplace(record.SerializeAsString(), head_.digest_version);
  append(record);
}

void Writer::append(const v1::Record& record) {
  const std::string content = record.SerializeAsString();
  SWEEPD_ASSERT(content.size() <= kRecordBytesMax);
  const std::size_t before = bytes_.size();
  append_varint(bytes_, content.size());
  bytes_ += content;
  append_number(bytes_, base::hash_bytes(content));
  offset_ += bytes_.size() - before;
}

bool Writer::add(const TickRecord& record) {
  if (is_closed_) return false;
  SWEEPD_ASSERT(record.tick == ending_.tick_count + 1);
  moves_ += ticks_.add(record);
  ending_.tick_count = record.tick;
  ending_.final_digest = record.digest;
  ending_.cast.note(record.inputs);
  const bool is_full =
      ticks_.tick_count() >= options_.ticks_per_chunk || ticks_.byte_count() >= kChunkBytesAimed;
  return !is_full || close_chunk();
}

bool Writer::close_chunk() {
  if (ticks_.tick_count() == 0) return true;
  const Tick first_tick = ticks_.first_tick();
  const std::uint64_t tick_count = ticks_.tick_count();
  const std::string content = ticks_.take();
  if (content.size() > kContentBytesMax) {
    is_closed_ = true;
    return false;
  }
  append_chunk(first_tick, tick_count, compress(content, options_.compression_level));
  return true;
}

bool Writer::add(const PackedTicks& ticks) {
  if (is_closed_ || !close_chunk()) return false;
  SWEEPD_ASSERT(ticks.first_tick == ending_.tick_count + 1 && ticks.tick_count > 0);
  append_chunk(ticks.first_tick, ticks.tick_count, ticks.content);
  ending_.tick_count = ticks.last_tick();
  ending_.final_digest = ticks.last_digest;
  return true;
}

void Writer::append_chunk(Tick first_tick, std::uint64_t tick_count, std::string content) {
  v1::Record record;
  v1::Chunk& chunk = *record.mutable_chunk();
  chunk.set_first_tick(first_tick);
  chunk.set_tick_count(tick_count);
  chunk.set_content(std::move(content));
  chunk.set_link(chain_->add(chunk));
  v1::ChunkPlace& place = *footer_.add_chunks();
  place.set_first_tick(first_tick);
  place.set_tick_count(tick_count);
  place.set_offset(offset_);
  append(record);
}

bool Writer::add_key_frame(const KeyFrame& key_frame) {
  SWEEPD_ASSERT(!is_closed_ && key_frame.tick == ending_.tick_count &&
                key_frame.digest == ending_.final_digest);
  if (key_frame.content.size() > kContentBytesMax || !close_chunk()) return false;
  v1::Record record;
  v1::KeyFrame& message = *record.mutable_key_frame();
  message.set_tick(key_frame.tick);
  message.set_digest(key_frame.digest);
  message.set_version(key_frame.version);
  message.set_content(compress(key_frame.content, options_.compression_level));
  if (head_.digest_version >= kDigestVersionWithStatements) message.set_unix_ms(key_frame.unix_ms);
  message.set_link(chain_->add(message));
  v1::KeyFramePlace& place = *footer_.add_key_frames();
  place.set_tick(key_frame.tick);
  place.set_offset(offset_);
  append(record);
  return true;
}

Ending Writer::finish(EndReason reason, std::vector<match::Score> scores, const SigningKey* key) {
  ending_.reason = reason;
  ending_.scores = std::move(scores);
  finish(Ending(ending_), key);
  return ending_;
}

void Writer::finish(const Ending& ending, const SigningKey* key) {
  SWEEPD_ASSERT(!is_closed_ && ending.scores.size() <= kScoresListedMax);
  SWEEPD_ASSERT(ending.tick_count == ending_.tick_count && ending.final_digest == ending_.final_digest);
  // What is left is less than a chunk that has been closed before, but for a last tick, which add has judged.
  const bool is_whole = close_chunk();
  SWEEPD_ASSERT(is_whole);
  is_closed_ = true;
  const auto sign = [&] { return sign_receipt(*key, {head_, ending, chain_->last()}); };
  append_footer(ending, key != nullptr ? std::optional(sign()) : std::nullopt);
}

void Writer::append_footer(const Ending& ending, const std::optional<Receipt>& receipt) {
  const std::uint64_t place = offset_;
  encode(ending, footer_);
  if (head_.digest_version < kDigestVersionWithStatements) leave_out_testimony(footer_);
  if (receipt) encode(*receipt, footer_);
  footer_.set_link(chain_->last());
  v1::Record record;
  *record.mutable_footer() = std::exchange(footer_, {});
  append(record);
  append_number(bytes_, place);
  bytes_ += kEndMagic;
}

std::string Writer::take_bytes() { return std::exchange(bytes_, {}); }

}  // namespace sweepd::replay
