// SPDX-License-Identifier: MIT
//
// Protects: ticks come back from their bytes as they were, whatever is in them; bytes that are none of ticks
// are refused with the tick and the fault, and never trusted for a size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "recordings/random_match.h"
#include "replay/tick_decoder.h"
#include "replay/tick_encoder.h"
#include "replay/varint.h"
#include "unit/replay/frame_fields.h"

namespace sweepd::replay::tick_codec_test {
namespace {

using ::testing::HasSubstr;

std::string encode(const std::vector<TickRecord>& records) {
  TickEncoder encoder;
  for (const TickRecord& record : records) encoder.add(record);
  return encoder.take();
}

bool is_same(const Input& a, const Input& b) {
  if (a.index() != b.index()) return false;
  if (const Submission* submission = std::get_if<Submission>(&a)) {
    const Submission& other = std::get<Submission>(b);
    return submission->number == other.number && is_equal(submission->frame, other.frame);
  }
  if (const Join* join = std::get_if<Join>(&a)) return *join == std::get<Join>(b);
  return std::visit([](const auto& any) { return any.number; }, a) ==
         std::visit([](const auto& any) { return any.number; }, b);
}

void expect_equal(const std::vector<TickRecord>& a, const std::vector<TickRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].tick, b[i].tick);
    ASSERT_EQ(a[i].digest, b[i].digest);
    ASSERT_EQ(a[i].ends_match, b[i].ends_match);
    ASSERT_EQ(a[i].inputs.size(), b[i].inputs.size());
    for (std::size_t k = 0; k < a[i].inputs.size(); ++k) {
      ASSERT_TRUE(is_same(a[i].inputs[k], b[i].inputs[k])) << "tick " << a[i].tick << ", input " << k;
    }
  }
}

TEST(TickCodec, BringsBackWhateverHappensInAMatch) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto records = recordings::record_random_match(seed, 120);
    const auto decoded = decode_ticks(encode(records));
    ASSERT_TRUE(decoded.ok()) << decoded.error().what;
    expect_equal(records, *decoded);
  }
}

TEST(TickCodec, ReadsEachRunOfTicksWithoutTheOthers) {
  const auto records = recordings::record_random_match(5, 60);
  for (std::size_t first = 0; first < records.size(); first += 7) {
    const std::size_t last = std::min(first + 7, records.size());
    const std::vector<TickRecord> some(records.begin() + static_cast<std::ptrdiff_t>(first),
                                       records.begin() + static_cast<std::ptrdiff_t>(last));
    const auto decoded = decode_ticks(encode(some));
    ASSERT_TRUE(decoded.ok()) << decoded.error().what;
    expect_equal(some, *decoded);
  }
}

TickRecord record_of(match::Frame frame, Tick tick = 1) {
  return {.tick = tick, .digest = 17, .inputs = {Submission{2, std::move(frame)}}};
}

TEST(TickCodec, BringsBackTheEndsOfAllRanges) {
  constexpr auto kMin = collision::kSubunitsMin;
  constexpr auto kMax = collision::kSubunitsMax;
  match::Frame frame;
  frame.tick = 1;
  frame.delay_ticks = ~0u;
  for (const match::ObjectId id : {0u, ~0u, 1u, 0u}) {
    frame.moves.push_back({id, {kMin, kMax}});
    frame.moves.push_back({id, {kMax, kMin}});
    frame.moves.push_back({id, {0, -1}});
  }
  frame.relative_moves = 5;
  frame.spawns.push_back(
      {.id = ~0u, .position = {kMax, kMin}, .parts = {}, .motion = {{kMin, kMax}, {kMax, kMin}}});
  frame.disables.push_back({7, ~Tick{0}});
  frame.spawns.back().tag = ~std::uint64_t{0};
  frame.messages.push_back(
      {.to = match::AppMessage::To::kRole, .number = ~0u, .bytes = std::string(1024, '\0')});
  frame.claims.push_back({.number = ~0u, .shot_part = ~0u, .tick_seen = ~Tick{0}, .tolerance = ~0u});
  const std::vector<TickRecord> records = {record_of(frame, 3'000), record_of(frame, 3'001)};
  const auto decoded = decode_ticks(encode(records));
  ASSERT_TRUE(decoded.ok()) << decoded.error().what;
  expect_equal(records, *decoded);
}

TEST(TickCodec, TakesNextToNothingForWhatGoesOnAsItDid) {
  std::vector<TickRecord> records;
  for (Tick tick = 1; tick <= 100; ++tick) {
    match::Frame frame;
    for (std::int32_t i = 0; i < 50; ++i) {
      const auto t = static_cast<std::int32_t>(tick);
      frame.moves.push_back({static_cast<match::ObjectId>(1'000 + i * 3), {i * t, 7'000 - t}});
    }
    frame.relative_moves = 50;
    records.push_back(record_of(std::move(frame), tick));
  }
  const std::string bytes = encode(records);
  // From the third tick on, all is as expected.
  EXPECT_GT(std::count(bytes.begin(), bytes.end(), '\0'), 97 * 150);
}

TEST(TickCodec, KeepsColumnsOfOneKindOfFrameOutOfTheOthersWay) {
  match::Frame empty;
  match::Frame named;
  named.tick = 9;
  const std::vector<TickRecord> records = {{.tick = 9,
                                            .digest = ~std::uint64_t{0},
                                            .inputs = {Submission{0, empty}, Away{3}, Submission{1, named}}},
                                           {.tick = 10, .ends_match = true, .inputs = {Back{3}, Leave{0}}}};
  const auto decoded = decode_ticks(encode(records));
  ASSERT_TRUE(decoded.ok()) << decoded.error().what;
  expect_equal(records, *decoded);
}

/// Encodes a tick with a frame, lets `spoil` have its message, and says what the decoder says.
TickFault fault_of(const std::function<void(v1::Ticks&)>& spoil) {
  match::Frame frame;
  frame.tick = 4;
  frame.spawns.push_back({.id = 1, .position = {}, .parts = {collision::Part{}}});
  frame.moves.push_back({1, {2, 3}});
  frame.relative_moves = 1;
  v1::Ticks message;
  EXPECT_TRUE(message.ParseFromString(
      encode({{.tick = 4, .inputs = {Join{"ann", match::Role::kPlayer, 2}, Submission{2, frame}}}})));
  spoil(message);
  const auto decoded = decode_ticks(message.SerializeAsString());
  return decoded ? TickFault{.what = "no fault"} : decoded.error();
}

TEST(TickCodec, NamesTheTickAndWhatIsWrongWithIt) {
  using Spoiled = v1::Ticks;
  EXPECT_EQ(fault_of([](Spoiled&) {}).what, "no fault");
  EXPECT_THAT(fault_of([](Spoiled& m) { m.mutable_kinds()->pop_back(); }).what, HasSubstr("kinds"));
  EXPECT_EQ(fault_of([](Spoiled& m) { m.mutable_kinds()->pop_back(); }).tick, 4u);
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_kinds("\x0f\x05"); }).what, HasSubstr("no kind of input 15"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_kinds("\x11\x05"); }).what, HasSubstr("traits of a frame"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_kinds("\x12\x05"); }).what, HasSubstr("traits of a frame"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_numbers("\xff\x01\x02"); }).what,
              HasSubstr("no participant 255"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_input_counts("\xff\xff\xff\xff\x0f"); }).what,
              HasSubstr("kinds"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_input_counts("\x03"); }).what, HasSubstr("kinds"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_input_counts("\x01"); }).what,
              HasSubstr("more than their ticks"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_move_counts("\xff\xff\xff\xff\xff\x7f"); }).what,
              HasSubstr("move_counts"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_absolute_moves("\x02"); }).what, HasSubstr("absolute_moves"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.clear_move_x(); }).what, HasSubstr("move_x"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_move_objects(std::string(1, '\0')); }).what,
              HasSubstr("of no object"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_move_objects("\x04"); }).what, HasSubstr("of no object"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_frame_ticks("\x07"); }).what, HasSubstr("names the tick 0"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.clear_joins(); }).what, HasSubstr("fewer joins"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.clear_changes(); }).what, HasSubstr("fewer changes"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.add_changes(); }).what, HasSubstr("more than their ticks"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.mutable_joins(0)->set_role(4); }).what, HasSubstr("no role 4"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.mutable_joins(0)->clear_name(); }).what,
              HasSubstr("name has 0 bytes"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.clear_digests(); }).what, HasSubstr("digests has 0 bytes"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.mutable_digests()->push_back('x'); }).what, HasSubstr("9 bytes"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_first_tick(0); }).what, HasSubstr("first tick is 0"));
  EXPECT_THAT(fault_of([](Spoiled& m) { m.set_first_tick(~0ull); }).what, HasSubstr("first tick"));
}

TEST(TickCodec, RefusesPartsThatNoFrameCanHold) {
  const auto fault_of_part = [](auto&& spoil) {
    return fault_of([&](v1::Ticks& m) { spoil(*m.mutable_changes(0)->mutable_spawns(0)->mutable_parts(0)); })
        .what;
  };
  EXPECT_THAT(fault_of_part([](v1::Part& part) { part.set_layer(256); }), HasSubstr("layer is 256"));
  EXPECT_THAT(fault_of_part([](v1::Part& part) { part.set_mask(999); }), HasSubstr("mask is 999"));
  EXPECT_THAT(fault_of_part([](v1::Part& part) { part.set_kind(4); }), HasSubstr("kind is 4"));
  EXPECT_THAT(fault_of_part([](v1::Part& part) {
                part.set_kind(1);
                part.set_radius(3);
              }),
              HasSubstr("none of a circle"));
  EXPECT_THAT(fault_of_part([](v1::Part& part) {
                part.set_kind(2);
                part.set_radius(3);
              }),
              HasSubstr("none of a capsule"));
}

TEST(TickCodec, RefusesBytesThatAreNoMessage) {
  EXPECT_FALSE(decode_ticks("").ok());
  EXPECT_FALSE(decode_ticks("\x0a\xff").ok());
}

TEST(Varints, ComeBackAndAreRefusedWhereTheyAreNone) {
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, ~std::uint64_t{0}}) {
    std::string column;
    append_varint(column, value);
    VarintReader reader(column);
    EXPECT_EQ(reader.next(), value);
    EXPECT_TRUE(reader.is_at_end());
    EXPECT_FALSE(reader.next());
  }
  EXPECT_FALSE(VarintReader("\xff\xff").next());
  EXPECT_FALSE(VarintReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02").next());
  EXPECT_FALSE(VarintReader("\xff\xff\xff\xff\x1f").next_small());
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 62, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(unzigzag(zigzag(value)), value);
  }
}

}  // namespace
}  // namespace sweepd::replay::tick_codec_test
