// SPDX-License-Identifier: MIT
//
// Protects what the second door sends: headers as short as RFC 6455 wants them, closes that fit their frame.
#include "ws/frame_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/visible_text.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::ws::frame_writer_test {
namespace {

using ::testing::StartsWith;
using namespace std::string_literals;

std::string frame_of(std::size_t bytes) {
  std::string out;
  append_frame(out, FrameKind::kBinary, std::string(bytes, 'x'));
  return out;
}

TEST(FrameWriter, WritesLengthsAsShortAsTheyCanBe) {
  EXPECT_EQ(frame_of(0), "\x82\x00"s);
  EXPECT_THAT(frame_of(125), StartsWith("\x82\x7dx"));
  EXPECT_THAT(frame_of(126), StartsWith("\x82\x7e\x00\x7ex"s));
  EXPECT_THAT(frame_of(65'535), StartsWith("\x82\x7e\xff\xffx"));
  EXPECT_THAT(frame_of(65'536), StartsWith("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00x"s));
}

TEST(FrameWriter, WritesMessagesAsTheyAreAndReusesItsMemory) {
  MessageFrame frame;
  for (const std::size_t bytes : {3u, 300u, 70'000u, 3u}) {
    v1::GetReplayResponse message;
    message.set_chunk(std::string(bytes, 'x'));
    std::string expected;
    append_frame(expected, FrameKind::kBinary, message.SerializeAsString());
    EXPECT_EQ(frame.write(message), expected);
  }
}

TEST(FrameWriter, ClipsTheReasonOfACloseBetweenCharacters) {
  std::string reason;
  while (reason.size() < 200) reason += "ü";
  std::string out;
  append_close(out, CloseCode::kPolicyViolation, reason);
  ASSERT_LE(out.size(), 2 + kControlBytesMax);
  EXPECT_EQ(out.substr(0, 1), "\x88");
  EXPECT_EQ(out.substr(2, 2), "\x03\xf0");
  EXPECT_TRUE(base::is_utf8(out.substr(4)));
}

TEST(CloseCode, IsOfTheStatusOfAStream) {
  EXPECT_EQ(close_code_of({}), CloseCode::kNormal);
  EXPECT_EQ(close_code_of(session::make_status(session::Code::kNotFound, {.reason = "X", .message = "x"})),
            static_cast<CloseCode>(4005));
}

}  // namespace
}  // namespace sweepd::ws::frame_writer_test
