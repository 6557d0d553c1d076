// SPDX-License-Identifier: MIT
#include "ws/frame_reader.h"

#include <sys/types.h>
#include <wslay/wslay.h>

#include <string_view>
#include <utility>

#include "base/assert.h"
#include "base/visible_text.h"
#include "session/client_budget.h"

namespace sweepd::ws {
namespace {

/// A larger one is given back: of many connections that would be much, and for long.
constexpr std::size_t kMessageBytesKept = std::size_t{4} << 10;

bool is_known(std::uint8_t opcode) {
  switch (opcode) {
    case WSLAY_CONTINUATION_FRAME:
    case WSLAY_TEXT_FRAME:
    case WSLAY_BINARY_FRAME:
    case WSLAY_CONNECTION_CLOSE:
    case WSLAY_PING:
    case WSLAY_PONG:
      return true;
    default:
      return false;
  }
}

bool is_control(const wslay_frame_iocb& frame) { return wslay_is_ctrl_frame(frame.opcode) != 0; }

}  // namespace

FrameReader::FrameReader(FrameSource& source, std::size_t bytes_max)
    : source_(source), bytes_max_(bytes_max) {
  const wslay_frame_callbacks callbacks{
      .send_callback = nullptr, .recv_callback = take_bytes, .genmask_callback = nullptr};
  SWEEPD_ASSERT(wslay_frame_context_init(&context_, &callbacks, this) == 0);
}

std::ptrdiff_t FrameReader::take_bytes(std::uint8_t* room, std::size_t size, int /*flags*/, void* reader) {
  auto& self = *static_cast<FrameReader*>(reader);
  const std::size_t taken = self.source_.take({room, size});
  self.is_dry_ = taken == 0;
  return self.is_dry_ ? -1 : static_cast<std::ptrdiff_t>(taken);
}

FrameReader::~FrameReader() { wslay_frame_context_free(context_); }

FrameReader::Result FrameReader::next() {
  if (end_) return *end_;
  if (is_message_over_) {
    if (message_.capacity() > kMessageBytesKept) std::string().swap(message_);
    message_.clear();
    is_message_over_ = false;
  }
  for (;;) {
    wslay_frame_iocb frame{};
    const ssize_t size = wslay_frame_recv(context_, &frame);
    // It asks once for each part of a header, and what came may have been less than that.
    if (size == WSLAY_ERR_WANT_READ && !is_dry_) continue;
    if (size == WSLAY_ERR_WANT_READ) return Result::kNothing;
    if (size < 0) return fail({CloseCode::kProtocolError, "the header of a frame is wrong"});
    if (!is_in_frame_) {
      if (const auto fault = begin_frame(frame)) return fail(*fault);
    }
    (is_control(frame) ? control_ : message_)
        .append(reinterpret_cast<const char*>(frame.data), frame.data_length);
    frame_bytes_ += frame.data_length;
    if (frame_bytes_ < frame.payload_length) continue;
    const Result result = end_frame(frame);
    if (result != Result::kNothing) return result;
  }
}

std::optional<FrameReader::Fault> FrameReader::find_fault(const wslay_frame_iocb& frame) const {
  if (frame.rsv != WSLAY_RSV_NONE)
    return Fault{CloseCode::kProtocolError, "reserved bits are set, and no extension is in use"};
  if (frame.mask == 0) return Fault{CloseCode::kProtocolError, "a client's frame is not masked"};
  if (!is_known(frame.opcode)) return Fault{CloseCode::kProtocolError, "the opcode is unknown"};
  if (is_control(frame)) return std::nullopt;
  if (frame.opcode == WSLAY_TEXT_FRAME)
    return Fault{CloseCode::kUnsupportedData, "messages are binary, not text"};
  if ((frame.opcode == WSLAY_CONTINUATION_FRAME) != is_in_message_)
    return Fault{CloseCode::kProtocolError, "fragments of messages are out of order"};
  return std::nullopt;
}

std::optional<FrameReader::Fault> FrameReader::begin_frame(const wslay_frame_iocb& frame) {
  if (const auto fault = find_fault(frame)) return fault;
  is_in_frame_ = true;
  frame_bytes_ = 0;
  if (is_control(frame)) {
    control_.clear();
    return std::nullopt;
  }
  is_in_message_ = true;
  if (frame.payload_length > bytes_max_ || frame.payload_length > bytes_max_ - message_.size())
    return Fault{CloseCode::kTooLarge, "the message is too large"};
  const std::size_t bytes = message_.size() + frame.payload_length;
  if (bytes >= session::kSmallMessageBytes && !source_.has_room(bytes))
    return Fault{CloseCode::kTryAgainLater, "too many bytes of large messages are on their way"};
  return std::nullopt;
}

FrameReader::Result FrameReader::end_frame(const wslay_frame_iocb& frame) {
  is_in_frame_ = false;
  switch (frame.opcode) {
    case WSLAY_CONNECTION_CLOSE:
      return end_close();
    case WSLAY_PING:
      ping_ = control_;
      return Result::kNothing;
    case WSLAY_PONG:
      return Result::kNothing;
    default:
      break;
  }
  if (frame.fin == 0) return Result::kNothing;
  is_in_message_ = false;
  is_message_over_ = true;
  return Result::kMessage;
}

FrameReader::Result FrameReader::end_close() {
  if (control_.size() == 1) return fail({CloseCode::kProtocolError, "the close has half a code"});
  if (control_.size() >= 2) {
    const auto byte = [this](std::size_t at) { return static_cast<std::uint8_t>(control_[at]); };
    const auto code = static_cast<std::uint16_t>(byte(0) << 8 | byte(1));
    if (!is_close_code(code)) return fail({CloseCode::kProtocolError, "the close has no valid code"});
    if (!base::is_utf8(std::string_view(control_).substr(2)))
      return fail({CloseCode::kInvalidData, "the reason of the close is not UTF-8"});
    close_code_ = static_cast<CloseCode>(code);
  }
  end_ = Result::kClose;
  return *end_;
}

// What has come of a message is of no use, and the connection may take its time to end.
FrameReader::Result FrameReader::fail(Fault fault) {
  std::string().swap(message_);
  fault_ = fault;
  end_ = Result::kFault;
  return *end_;
}

}  // namespace sweepd::ws
