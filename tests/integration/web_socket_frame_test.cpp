// SPDX-License-Identifier: MIT
//
// Protects the second door from everything that a client may send that is no message: by the topics of the
// Autobahn test suite for WebSocket. What is allowed works, and what is not ends that connection alone, with
// the close code that says why.
//
// | Autobahn | topic | test |
// |---|---|---|
// | 1 | messages of all lengths of the header: 0, 125, 126, 127, 65535, 65536 bytes | MessagesOfAllLengths… |
// | 2.1–2.4, 2.6 | pings with and without payload, up to 125 bytes, in pieces | PingsAreAnswered… |
// | 2.5 | a ping of more than 125 bytes | ControlFramesThatAreTooLargeOrInFragments… |
// | 2.7–2.9 | pongs that nothing asked for, many pings | PongsThatNothingAskedFor…, OfManyPings… |
// | 3 | reserved bits | ReservedBits… |
// | 4 | reserved opcodes | UnknownOpcodes… |
// | 5 | fragments, with control frames between them, out of order | FragmentsMakeAMessage…,
// FragmentsOutOfOrder… | | 6 | UTF-8 in text: there is none; in the reason of a close | TextIsRefused,
// ACloseThatIsMalformed… | | 7.1–7.3 | close, frames after it, of all lengths | AfterACloseNothing…,
// ACloseThatIsMalformed… | | 7.5, 7.7, 7.9 | reasons, good codes, bad codes | ACloseIsAnswered…,
// ACloseThatIsMalformed… | | 9 | large messages, in fragments, in small pieces | LargeMessagesCome…,
// MessagesComeInPiecesOfABite… | | 10 | fragments as the network splits them | MessagesComeInPieces… | | 12,
// 13 | compression: not offered, so not used | ReservedBits…, CompressionIsNotAgreedTo | | – | frames without
// a mask, without an end, of absurd length | FramesWithoutAMask…, AMessageWithoutEnd… |
#include <array>
#include <memory>
#include <string>

#include "integration/support/web_socket_fixture.h"

namespace sweepd::test::web_socket_frame_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

constexpr std::uint8_t kBinary = 0x82;
constexpr std::uint8_t kBinaryBegins = 0x02;
constexpr std::uint8_t kGoesOn = 0x00;
constexpr std::uint8_t kEnds = 0x80;
constexpr std::uint8_t kText = 0x81;
constexpr std::uint8_t kClose = 0x88;
constexpr std::uint8_t kPing = 0x89;
constexpr std::uint8_t kPong = 0x8a;

constexpr unsigned kProtocolError = 1002;

bool has_rejection(const v1::TickUpdate& update) { return update.rejections_size() > 0; }

class WebSocketFrames : public WebSocketTest {
 protected:
  void SetUp() override {
    WebSocketTest::SetUp();
    match_ = create(ClockKind::kRealtime);
  }

  std::unique_ptr<WebSocketClient> playing() {
    auto stream = open();
    EXPECT_TRUE(stream->join(match_, "player" + std::to_string(players_++)).has_joined());
    return stream;
  }

  /// What that ends a stream with; another one is served all the same.
  unsigned code_after(std::string_view bytes) {
    const auto stream = playing();
    stream->send_raw(bytes);
    const unsigned code = stream->end().code;
    expect_served();
    return code;
  }

  /// A message that is answered: by a rejection that names it malformed.
  static bool is_heard(WebSocketClient& stream) { return stream.update_with(has_rejection).has_value(); }

  /// No message of the contract, and heard as such.
  static std::string junk(std::size_t bytes) { return std::string(bytes, '\x07'); }

  static std::string frame(std::uint8_t first_byte, std::string_view payload = {}) {
    return WebSocketClient::frame(first_byte, payload);
  }
  static std::string close_with(unsigned code, std::string_view reason = {}) {
    std::string payload{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
    return frame(kClose, payload.append(reason));
  }

  std::string match_;
  int players_ = 0;
};

TEST_F(WebSocketFrames, MessagesOfAllLengthsOfTheHeaderAreHeard) {
  const auto stream = playing();
  for (const std::size_t bytes : {0u, 1u, 125u, 126u, 127u, 65'535u, 65'536u, 1u << 20}) {
    stream->send_binary(junk(bytes));
    ASSERT_TRUE(is_heard(*stream)) << bytes;
  }
}

TEST_F(WebSocketFrames, PingsAreAnsweredWithTheirPayload) {
  const auto stream = playing();
  for (const std::string& payload : {std::string(), std::string("hello"), std::string(125, '\xfe')}) {
    stream->send_ping(payload);
    ASSERT_TRUE(eventually(
        [&] { return stream->read() && !stream->pongs().empty() && stream->pongs().back() == payload; }));
  }
}

TEST_F(WebSocketFrames, OfManyPingsAtOnceTheLastIsAnswered) {
  const auto stream = playing();
  std::string pings;
  for (int i = 0; i < 1000; ++i) pings += frame(kPing, "ping " + std::to_string(i));
  ASSERT_TRUE(stream->send_raw(pings));
  EXPECT_TRUE(eventually(
      [&] { return stream->read() && !stream->pongs().empty() && stream->pongs().back() == "ping 999"; }));
}

// A stream goes from the loop that accepted it to that of its match, which may end it there at once.
TEST_F(WebSocketFrames, ThatBreakTheRulesRightBehindTheJoinEndNoServer) {
  for (int i = 0; i < 200; ++i) {
    const auto stream = open();
    v1::PlayRequest request;
    request.mutable_join()->set_match_id(match_);
    request.mutable_join()->set_name("player" + std::to_string(i));
    request.mutable_join()->set_role(v1::ROLE_PLAYER);
    ASSERT_TRUE(stream->send_raw(frame(kBinary, request.SerializeAsString()) + frame(kText, "no message")));
    stream->end();
  }
  expect_served();
}

TEST_F(WebSocketFrames, PongsThatNothingAskedForAreIgnored) {
  const auto stream = playing();
  stream->send_raw(frame(kPong, "unasked"));
  stream->send_binary(junk(3));
  EXPECT_TRUE(is_heard(*stream));
  EXPECT_TRUE(stream->pongs().empty());
}

TEST_F(WebSocketFrames, ControlFramesThatAreTooLargeOrInFragmentsAreFaults) {
  for (const std::uint8_t kind : {kPing, kPong, kClose}) {
    EXPECT_EQ(code_after(frame(kind, std::string(126, 'x'))), kProtocolError);
    EXPECT_EQ(code_after(frame(kind & 0x7f, "x")), kProtocolError);
  }
}

TEST_F(WebSocketFrames, ReservedBitsAreFaultsAsNoExtensionIsInUse) {
  for (const std::uint8_t bits : {0x40, 0x20, 0x10, 0x70}) {
    EXPECT_EQ(code_after(frame(kBinary | bits, "x")), kProtocolError);
    EXPECT_EQ(code_after(frame(kPing | bits, "x")), kProtocolError);
  }
}

TEST_F(WebSocketFrames, UnknownOpcodesAreFaults) {
  for (const std::uint8_t opcode : {0x3, 0x4, 0x5, 0x6, 0x7, 0xb, 0xc, 0xd, 0xe, 0xf})
    EXPECT_EQ(code_after(frame(0x80 | opcode, "x")), kProtocolError);
}

TEST_F(WebSocketFrames, TextIsRefused) {
  EXPECT_EQ(code_after(frame(kText, "{}")), 1003u);
  EXPECT_EQ(code_after(frame(kText & 0x7f, "{}")), 1003u);
}

TEST_F(WebSocketFrames, FragmentsMakeAMessageWithControlFramesBetweenThem) {
  const auto stream = playing();
  stream->send_raw(frame(kBinaryBegins, "a") + frame(kPing, "between") + frame(kGoesOn) +
                   frame(kGoesOn, "b") + frame(kPong) + frame(kEnds, "c"));
  EXPECT_TRUE(is_heard(*stream));
  EXPECT_THAT(stream->pongs(), Contains("between"));
  stream->send_in_fragments(spawn(0, 77).SerializeAsString(), 1);
  EXPECT_TRUE(is_heard(*stream));
}

TEST_F(WebSocketFrames, FragmentsOutOfOrderAreFaults) {
  EXPECT_EQ(code_after(frame(kGoesOn, "x")), kProtocolError);
  EXPECT_EQ(code_after(frame(kEnds, "x")), kProtocolError);
  EXPECT_EQ(code_after(frame(kBinaryBegins, "x") + frame(kBinary, "y")), kProtocolError);
  EXPECT_EQ(code_after(frame(kBinaryBegins, "x") + frame(kBinaryBegins, "y")), kProtocolError);
}

TEST_F(WebSocketFrames, FramesWithoutAMaskAreFaults) {
  EXPECT_EQ(code_after(WebSocketClient::frame(kBinary, "x", std::nullopt, false)), kProtocolError);
  EXPECT_EQ(code_after(WebSocketClient::frame(kPing, "", std::nullopt, false)), kProtocolError);
}

TEST_F(WebSocketFrames, LengthsThatAreNotAsShortAsTheyCanBeAreFaults) {
  const std::string mask(4, '\0');
  EXPECT_EQ(code_after(std::string{'\x82', '\xfe', 0, 1} + mask + 'x'), kProtocolError);
  EXPECT_EQ(code_after(std::string{'\x82', '\xff', 0, 0, 0, 0, 0, 0, 0, 1} + mask + 'x'), kProtocolError);
}

TEST_F(WebSocketFrames, LengthsBeyondTheLimitAreRefusedWithTheFirstOfTheirBytes) {
  EXPECT_EQ(code_after(WebSocketClient::frame(kBinary, "x", (2u << 20) + 1)), 1009u);
  EXPECT_EQ(code_after(WebSocketClient::frame(kBinary, "x", 1ull << 62)), 1009u);
  EXPECT_EQ(code_after(WebSocketClient::frame(kBinary, "x", 1ull << 63)), kProtocolError);
}

TEST_F(WebSocketFrames, AMessageWithoutEndIsRefusedWhenItIsTooLarge) {
  const auto stream = playing();
  const std::string part = std::string(1u << 16, 'x');
  stream->send_raw(frame(kBinaryBegins, part));
  for (int i = 0; i < 64; ++i) stream->send_raw(frame(kGoesOn, part));
  const unsigned code = stream->end().code;
  EXPECT_TRUE(code == 1009u || code == 0u)
      << code;  // Cut off in the middle of what it sends, it may not hear.
  expect_served();
}

TEST_F(WebSocketFrames, FragmentsOfNothingWithoutEndKeepNoOtherFromBeingServed) {
  const auto stream = playing();
  std::string nothing = frame(kBinaryBegins);
  for (int i = 0; i < 20'000; ++i) nothing += frame(kGoesOn);
  ASSERT_TRUE(stream->send_raw(nothing));
  expect_served();
  stream->send_raw(frame(kEnds));
  EXPECT_TRUE(is_heard(*stream));
}

TEST_F(WebSocketFrames, LargeMessagesComeInFragmentsOfAnySize) {
  const auto stream = playing();
  for (const std::size_t bytes : {64u, 1000u, 4096u, 65'536u}) {
    stream->send_in_fragments(junk(1u << 18), bytes);
    ASSERT_TRUE(is_heard(*stream)) << bytes;
  }
}

TEST_F(WebSocketFrames, MessagesComeInPiecesOfAByte) {
  const auto stream = playing();
  for (const char byte : frame(kBinary, junk(300))) ASSERT_TRUE(stream->send_raw({&byte, 1}));
  EXPECT_TRUE(is_heard(*stream));
}

TEST_F(WebSocketFrames, ACloseIsAnsweredAndItsCodeMayBeAnyThatIsGood) {
  for (const unsigned code :
       {1000u, 1001u, 1002u, 1003u, 1007u, 1008u, 1009u, 1010u, 1011u, 3000u, 3999u, 4000u, 4999u}) {
    const unsigned answer = code_after(close_with(code, "bye"));
    EXPECT_EQ(answer, code);
  }
  EXPECT_EQ(code_after(frame(kClose)), 1000u);
}

TEST_F(WebSocketFrames, ACloseThatIsMalformedIsAFault) {
  for (const unsigned code : {0u, 999u, 1004u, 1005u, 1006u, 1015u, 1016u, 2999u, 5000u, 65'535u})
    EXPECT_EQ(code_after(close_with(code)), kProtocolError) << code;
  EXPECT_EQ(code_after(frame(kClose, "x")), kProtocolError);
  EXPECT_EQ(code_after(close_with(1000, "\xff")), 1007u);
}

TEST_F(WebSocketFrames, AfterACloseNothingIsHeard) {
  const auto stream = playing();
  stream->send_raw(close_with(1000) + frame(kBinary, spawn(0, 77).SerializeAsString()) +
                   frame(kPing, "late"));
  while (const auto response = stream->read_as<v1::PlayResponse>())
    EXPECT_FALSE(has_rejection(response->update()));
  EXPECT_EQ(stream->end().code, 1000u);
  EXPECT_TRUE(stream->pongs().empty());
}

TEST_F(WebSocketFrames, CompressionIsNotAgreedTo) {
  const auto stream = open({.headers = {{"Sec-WebSocket-Extensions", "permessage-deflate"}}});
  EXPECT_EQ(stream->answered("Sec-WebSocket-Extensions"), "");
}

}  // namespace
}  // namespace sweepd::test::web_socket_frame_test
