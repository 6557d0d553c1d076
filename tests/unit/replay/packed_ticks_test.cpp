// SPDX-License-Identifier: MIT
//
// Protects the parts from which a replay is put together long after they were made: what is packed can be
// read again tick by tick, and heads and endings come back as they were or not at all.
#include "replay/packed_ticks.h"

#include <gtest/gtest.h>

#include "property/random.h"
#include "recordings/random_match.h"
#include "replay/compression.h"
#include "replay/file_format.h"
#include "replay/stored.h"
#include "replay/tick_decoder.h"

namespace sweepd::replay::packed_ticks_test {
namespace {

std::vector<TickRecord> unpacked(const PackedTicks& piece) {
  const auto content = decompress(piece.content, kContentBytesMax);
  EXPECT_TRUE(content);
  auto records = decode_ticks(*content);
  EXPECT_TRUE(records.ok());
  return std::move(records.value());
}

TEST(PackedTicks, AreTheTicksThatWentIn) {
  const auto records = recordings::record_random_match(5, 300);
  const auto pieces = pack(records, 1);
  ASSERT_FALSE(pieces.empty());
  Tick next = 1;
  for (const PackedTicks& piece : pieces) {
    EXPECT_EQ(piece.first_tick, next);
    const auto read = unpacked(piece);
    ASSERT_EQ(read.size(), piece.tick_count);
    for (const TickRecord& record : read) {
      EXPECT_EQ(record.tick, next);
      EXPECT_EQ(record.digest, records[next - 1].digest);
      EXPECT_EQ(record.ends_match, records[next - 1].ends_match);
      EXPECT_EQ(record.inputs.size(), records[next - 1].inputs.size());
      ++next;
    }
    EXPECT_EQ(piece.last_tick(), next - 1);
    EXPECT_EQ(piece.last_digest, read.back().digest);
  }
  EXPECT_EQ(next, records.size() + 1);
}

TEST(PackedTicks, OfMuchAreSeveralPieces) {
  const auto random = recordings::record_random_match(6, 300);
  std::vector<TickRecord> records;
  for (int copy = 0; copy < 30; ++copy) {
    for (const TickRecord& record : random) {
      if (record.ends_match) continue;
      records.push_back(record);
      TickRecord& fat = records.back();
      fat.tick = records.size();
      for (int i = 0; i < 9; ++i)
        fat.inputs.insert(fat.inputs.end(), record.inputs.begin(), record.inputs.end());
    }
  }
  const auto pieces = pack(records, 1);
  EXPECT_GT(pieces.size(), 1u);
  std::size_t count = 0;
  for (const PackedTicks& piece : pieces) count += piece.tick_count;
  EXPECT_EQ(count, records.size());
}

TEST(PackedTicks, OfOneTickAreOnePiece) {
  const auto records = recordings::record_random_match(7, 3);
  const auto pieces = pack({records[1]}, 1);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].first_tick, 2u);
  EXPECT_EQ(pieces[0].last_tick(), 2u);
}

Ending some_ending() {
  recordings::RandomMatch match(9);
  Ending ending;
  for (int i = 0; i < 50; ++i) ending.cast.note(match.play_tick().inputs);
  ending.tick_count = 50;
  ending.final_digest = match.match().digest();
  ending.scores = scores_of(match.match());
  return ending;
}

TEST(StoredParts, ComeBackAsTheyWere) {
  const auto match = std::move(match::Match::create(recordings::random_match_config(2)).value());
  const Head head = head_of(*match, "an id", "a nonce");
  const auto read = decode_head(encode_head(head));
  ASSERT_TRUE(read);
  EXPECT_EQ(encode_head(*read), encode_head(head));
  EXPECT_EQ(read->match_id, "an id");
  const Ending ending = some_ending();
  const auto read_ending = decode_ending(encode_ending(ending));
  ASSERT_TRUE(read_ending);
  EXPECT_EQ(read_ending->final_digest, ending.final_digest);
  EXPECT_EQ(read_ending->cast, ending.cast);
  ASSERT_EQ(read_ending->scores.size(), ending.scores.size());
  for (std::size_t i = 0; i < ending.scores.size(); ++i)
    EXPECT_TRUE(is_equal(read_ending->scores[i], ending.scores[i]));
}

TEST(StoredParts, OfAnyBytesDoNoHarm) {
  property::Random random(3);
  const std::string whole = encode_ending(some_ending());
  std::size_t refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = whole;
    bytes[random.index(bytes.size())] = static_cast<char>(random.between(0, 255));
    bytes.resize(random.index(bytes.size()) + 1);
    refused += decode_ending(bytes) ? 0 : 1;
    refused += decode_head(bytes) ? 0 : 1;
  }
  EXPECT_GT(refused, 1'000u);
}

}  // namespace
}  // namespace sweepd::replay::packed_ticks_test
