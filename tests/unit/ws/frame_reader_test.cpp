// SPDX-License-Identifier: MIT
//
// Protects what the second door makes of a client's bytes: the same messages however the network splits them,
// and of every fault the code that names it.
#include "ws/frame_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "unit/ws/client_frames.h"

namespace sweepd::ws::frame_reader_test {
namespace {

using Result = FrameReader::Result;
using ::testing::ElementsAre;

constexpr std::size_t kBytesMax = std::size_t{1} << 21;

/// All messages, up to the end of the bytes or a fault.
std::vector<std::string> messages_in(const std::string& bytes, std::size_t piece_bytes,
                                     Result* end = nullptr) {
  PiecewiseSource source(bytes, piece_bytes);
  FrameReader reader(source, kBytesMax);
  std::vector<std::string> messages;
  for (;;) {
    const Result result = reader.next();
    if (result == Result::kMessage) {
      messages.push_back(reader.message());
    } else {
      if (end != nullptr) *end = result;
      return messages;
    }
  }
}

TEST(FrameReader, TellsMessagesHoweverTheyAreSplitIntoFramesAndPieces) {
  std::mt19937 random(7);
  std::string bytes;
  std::vector<std::string> sent;
  for (int i = 0; i < 60; ++i) {
    const std::size_t size = random() % (i % 10 == 0 ? 70'000 : 400);
    std::string message;
    for (std::size_t at = 0; at < size; ++at) message += static_cast<char>(random());
    std::string_view rest = message;
    std::uint8_t opcode = 0x02;
    while (random() % 3 == 0) {
      const std::size_t part = rest.empty() ? 0 : random() % rest.size();
      bytes += client_frame(opcode, rest.substr(0, part));
      if (random() % 2 == 0) bytes += client_frame(0x8a, "pong");
      rest.remove_prefix(part);
      opcode = 0x00;
    }
    bytes += client_frame(0x80 | opcode, rest);
    sent.push_back(std::move(message));
  }
  for (const std::size_t piece_bytes : {1u, 2u, 7u, 4096u, 1u << 20}) {
    Result end{};
    EXPECT_EQ(messages_in(bytes, piece_bytes, &end), sent) << piece_bytes;
    EXPECT_EQ(end, Result::kNothing);
  }
}

TEST(FrameReader, TellsTheLastPingOnce) {
  PiecewiseSource source(client_frame(0x89, "one") + client_frame(0x89, "two") + client_frame(0x82, "m"), 64);
  FrameReader reader(source, kBytesMax);
  EXPECT_EQ(reader.next(), Result::kMessage);
  EXPECT_EQ(reader.take_ping(), "two");
  EXPECT_EQ(reader.take_ping(), std::nullopt);
}

TEST(FrameReader, TellsWhatAPeerClosesWith) {
  const auto code_of = [](std::string_view payload) {
    PiecewiseSource source(client_frame(0x88, payload), 64);
    FrameReader reader(source, kBytesMax);
    EXPECT_EQ(reader.next(), Result::kClose);
    EXPECT_EQ(reader.next(), Result::kClose) << "nothing comes after it";
    return reader.close_code();
  };
  EXPECT_EQ(code_of(""), CloseCode::kNone);
  EXPECT_EQ(code_of("\x03\xe8"), CloseCode::kNormal);
  EXPECT_EQ(code_of("\x13\x87 till tomorrow"), static_cast<CloseCode>(4999));
}

TEST(FrameReader, NamesEachFault) {
  const auto fault_of = [](const std::string& bytes) {
    PiecewiseSource source(bytes, 64);
    FrameReader reader(source, kBytesMax);
    EXPECT_EQ(reader.next(), Result::kFault);
    EXPECT_EQ(reader.next(), Result::kFault) << "nothing comes after it";
    return reader.fault().code;
  };
  EXPECT_EQ(fault_of(client_frame(0x81, "text")), CloseCode::kUnsupportedData);
  EXPECT_EQ(fault_of(client_frame(0xc2, "rsv")), CloseCode::kProtocolError);
  EXPECT_EQ(fault_of(client_frame(0x83, "opcode")), CloseCode::kProtocolError);
  EXPECT_EQ(fault_of(client_frame(0x80, "of none")), CloseCode::kProtocolError);
  EXPECT_EQ(fault_of(client_frame(0x02, "a") + client_frame(0x82, "b")), CloseCode::kProtocolError);
  EXPECT_EQ(fault_of(client_frame(0x88, "x")), CloseCode::kProtocolError);
  EXPECT_EQ(fault_of(client_frame(0x88, "\x03\xe8\xff")), CloseCode::kInvalidData);
  EXPECT_EQ(fault_of(client_frame(0x89, std::string(126, 'x'))), CloseCode::kProtocolError);
  EXPECT_EQ(fault_of({'\x82', 1, 'x'}), CloseCode::kProtocolError) << "not masked";
}

TEST(FrameReader, RefusesAMessageThatIsTooLargeByItsLengthOrItsParts) {
  PiecewiseSource whole(client_frame(0x82, std::string(1001, 'x')).substr(0, 9), 64);
  FrameReader of_whole(whole, 1000);
  EXPECT_EQ(of_whole.next(), Result::kFault);
  EXPECT_EQ(of_whole.fault().code, CloseCode::kTooLarge);
  PiecewiseSource parts(client_frame(0x02, std::string(600, 'x')) + client_frame(0x80, std::string(401, 'x')),
                        64);
  FrameReader of_parts(parts, 1000);
  EXPECT_EQ(of_parts.next(), Result::kFault);
  EXPECT_EQ(of_parts.fault().code, CloseCode::kTooLarge);
}

TEST(FrameReader, AsksForRoomForLargeMessagesAndRefusesThoseThatHaveNone) {
  PiecewiseSource source(
      client_frame(0x02, std::string(20'000, 'x')) + client_frame(0x80, std::string(20'000, 'x')), 4096);
  source.room_bytes = 30'000;
  FrameReader reader(source, kBytesMax);
  EXPECT_EQ(reader.next(), Result::kFault);
  EXPECT_EQ(reader.fault().code, CloseCode::kTryAgainLater);
  EXPECT_EQ(source.largest_asked, 40'000u);
  PiecewiseSource small(client_frame(0x82, std::string(1000, 'x')), 4096);
  small.room_bytes = 0;
  FrameReader of_small(small, kBytesMax);
  EXPECT_EQ(of_small.next(), Result::kMessage) << "small ones are bounded by the number of streams";
}

TEST(FrameReader, LeavesWhatFollowsAMessageUntilItIsAskedFor) {
  PiecewiseSource source(client_frame(0x82, "one") + client_frame(0x82, "two"), 4096);
  FrameReader reader(source, kBytesMax);
  EXPECT_EQ(reader.next(), Result::kMessage);
  EXPECT_EQ(reader.message(), "one");
  EXPECT_EQ(reader.next(), Result::kMessage);
  EXPECT_EQ(reader.message(), "two");
  EXPECT_EQ(reader.next(), Result::kNothing);
  source.add(client_frame(0x82, "three"));
  EXPECT_EQ(reader.next(), Result::kMessage);
  EXPECT_EQ(reader.message(), "three");
}

}  // namespace
}  // namespace sweepd::ws::frame_reader_test
