// SPDX-License-Identifier: MIT
//
// Protects: all that the contract has for a frame, a game can say with the SDK, in a session and in an input
// log alike.
#include <gtest/gtest.h>

#include <set>

#include "sweepd/input_log.h"
#include "sweepd/session.h"
#include "sweepd/v1/input_log.pb.h"

namespace sweepd::internal::frame_author_test {
namespace {

MatchConfig small_config() {
  MatchConfig config;
  config.layers = {"player", "bullet"};
  return config;
}

ObjectSpec box() {
  ObjectSpec spec;
  spec.parts = {{centered_box(2, 2), 0}};
  return spec;
}

/// One change of each kind.
void make_all_changes(FrameAuthor& author) {
  const Result<ObjectId> id = author.spawn(box());
  ASSERT_TRUE(id.ok());
  EXPECT_TRUE(author.reshape(*id, box().parts).ok());
  EXPECT_TRUE(author.change_layer(*id, 1).ok());
  EXPECT_TRUE(author.move(*id, {1, 2}).ok());
  EXPECT_TRUE(author.teleport(*id, {3, 4}).ok());
  EXPECT_TRUE(author.set_motion(*id, {}).ok());
  EXPECT_TRUE(author.disable(*id).ok());
  EXPECT_TRUE(author.enable(*id).ok());
  EXPECT_TRUE(author.despawn(*id).ok());
  EXPECT_TRUE(author.despawn_all({}).ok());
  EXPECT_TRUE(author.freeze({}).ok());
  EXPECT_TRUE(author.release({}).ok());
  EXPECT_TRUE(author.transfer({*id}, 2).ok());
  EXPECT_TRUE(author.scroll_to({5, 6}).ok());
  EXPECT_TRUE(author.claim_hit(*id, 7, 1).ok());
  EXPECT_TRUE(author.send_message("ready").ok());
}

/// The frame of a log's only tick.
v1::Frame frame_in(const InputLog& log) {
  std::string_view bytes = *log.bytes();
  bytes.remove_prefix(12);  // The magic and the version.
  for (;;) {
    std::size_t length = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      length |= std::size_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    v1::InputLogRecord record;
    EXPECT_TRUE(record.ParseFromArray(bytes.data(), static_cast<int>(length)));
    bytes.remove_prefix(length);
    if (!record.has_tick()) continue;
    for (const v1::InputLogInput& input : record.tick().inputs()) {
      if (input.has_frame()) return input.frame();
    }
    return {};
  }
}

TEST(FrameAuthor, CanSayAllThatAFrameHas) {
  auto log = InputLog::create(small_config());
  ASSERT_TRUE(log.ok());
  auto seat = log->join("ann");
  ASSERT_TRUE(seat.ok());
  make_all_changes(*seat);
  ASSERT_TRUE(seat->end_frame(1).ok());
  ASSERT_TRUE(log->end_tick().ok());
  ASSERT_TRUE(log->finish({}).ok());
  const v1::Frame frame = frame_in(*log);
  // Relative moves are made of absolute ones on a stream, which also has these two.
  const std::set<std::string> of_streams = {"moves", "acknowledged_tick", "participant"};
  for (int i = 0; i < v1::Frame::descriptor()->field_count(); ++i) {
    const auto* field = v1::Frame::descriptor()->field(i);
    if (of_streams.contains(field->name())) continue;
    const auto* reflection = frame.GetReflection();
    EXPECT_TRUE(field->is_repeated() ? reflection->FieldSize(frame, field) == 1
                                     : reflection->HasField(frame, field))
        << field->name();
  }
}

TEST(FrameAuthor, SaysWhyNothingCanBeChanged) {
  auto log = InputLog::create(small_config());
  ASSERT_TRUE(log.ok());
  auto seat = log->join("ann");
  ASSERT_TRUE(seat.ok());
  EXPECT_EQ(seat->move(0, {}).message(), "id is 0, which names no object");
  EXPECT_EQ(seat->spawn({.id = ~ObjectId{0}}).status().field(), "id");
  ASSERT_TRUE(seat->leave().ok());
  EXPECT_EQ(seat->move(1, {}).code(), ErrorCode::kNotJoined);
  EXPECT_EQ(seat->spawn(box()).status().code(), ErrorCode::kNotJoined);
  EXPECT_EQ(seat->claim_hit(1, 2, 3).status().code(), ErrorCode::kNotJoined);
}

}  // namespace
}  // namespace sweepd::internal::frame_author_test
