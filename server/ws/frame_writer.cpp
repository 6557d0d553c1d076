// SPDX-License-Identifier: MIT
#include "ws/frame_writer.h"

#include <array>

#include "session/status.h"

namespace sweepd::ws {
namespace {

constexpr std::uint8_t kLastFragment = 0x80;
constexpr std::uint8_t kLengthInTwoBytes = 126;
constexpr std::uint8_t kLengthInEightBytes = 127;

/// Memory of a larger message is given back.
constexpr std::size_t kBytesKept = std::size_t{512} << 10;

struct Header {
  std::array<char, kFrameHeaderBytesMax> bytes{};
  std::size_t size = 0;

  void add(std::uint8_t byte) { bytes[size++] = static_cast<char>(byte); }
  void add_length(std::uint64_t length, int bytes_of_length) {
    for (int byte = bytes_of_length - 1; byte >= 0; --byte)
      add(static_cast<std::uint8_t>(length >> (8 * byte)));
  }
  std::string_view view() const { return {bytes.data(), size}; }
};

Header header_of(FrameKind kind, std::uint64_t length) {
  Header header;
  header.add(kLastFragment | static_cast<std::uint8_t>(kind));
  if (length < kLengthInTwoBytes) {
    header.add(static_cast<std::uint8_t>(length));
  } else if (length <= 0xffff) {
    header.add(kLengthInTwoBytes);
    header.add_length(length, 2);
  } else {
    header.add(kLengthInEightBytes);
    header.add_length(length, 8);
  }
  return header;
}

}  // namespace

void append_frame(std::string& out, FrameKind kind, std::string_view payload) {
  out += header_of(kind, payload.size()).view();
  out += payload;
}

void append_close(std::string& out, CloseCode code, std::string_view reason) {
  constexpr std::size_t kEllipsisBytes = 3;
  const auto number = static_cast<std::uint16_t>(code);
  std::string payload{static_cast<char>(number >> 8), static_cast<char>(number & 0xff)};
  payload += session::clipped(reason, kControlBytesMax - 2 - kEllipsisBytes);
  append_frame(out, FrameKind::kClose, payload);
}

std::string_view MessageFrame::write(const google::protobuf::MessageLite& message) {
  const std::size_t size = message.ByteSizeLong();
  const Header header = header_of(FrameKind::kBinary, size);
  if (bytes_.capacity() > kBytesKept && header.size + size <= kBytesKept) std::string().swap(bytes_);
  bytes_.resize(header.size + size);
  header.view().copy(bytes_.data(), header.size);
  message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(bytes_.data() + header.size));
  return bytes_;
}

}  // namespace sweepd::ws
