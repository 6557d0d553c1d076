// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ws/frame_reader.h"

namespace sweepd::ws {

/// A client's frame, written by hand.
inline std::string client_frame(std::uint8_t first_byte, std::string_view payload) {
  constexpr std::array<char, 4> kMask{0x5a, 0x01, '\x80', 0x77};
  std::string text(1, static_cast<char>(first_byte));
  const int bytes_of_length = payload.size() < 126 ? 0 : payload.size() <= 0xffff ? 2 : 8;
  const std::size_t short_length = bytes_of_length == 0 ? payload.size() : bytes_of_length == 2 ? 126 : 127;
  text += static_cast<char>(0x80 | short_length);
  for (int byte = bytes_of_length - 1; byte >= 0; --byte)
    text += static_cast<char>(payload.size() >> (8 * byte) & 0xff);
  text.append(kMask.data(), kMask.size());
  for (std::size_t i = 0; i < payload.size(); ++i)
    text += static_cast<char>(payload[i] ^ kMask[i % kMask.size()]);
  return text;
}

/// Bytes that come in pieces of at most so many.
class PiecewiseSource final : public FrameSource {
 public:
  PiecewiseSource(std::string bytes, std::size_t piece_bytes)
      : bytes_(std::move(bytes)), piece_bytes_(piece_bytes) {}

  std::size_t take(std::span<std::uint8_t> room) override {
    const std::size_t size = std::min({room.size(), piece_bytes_, bytes_.size() - taken_});
    std::memcpy(room.data(), bytes_.data() + taken_, size);
    taken_ += size;
    return size;
  }
  bool has_room(std::size_t bytes) override {
    largest_asked = std::max(largest_asked, bytes);
    return bytes <= room_bytes;
  }
  void add(std::string_view more) { bytes_ += more; }
  bool is_empty() const { return taken_ == bytes_.size(); }

  std::size_t largest_asked = 0;
  std::size_t room_bytes = std::size_t{1} << 30;

 private:
  std::string bytes_;
  const std::size_t piece_bytes_;
  std::size_t taken_ = 0;
};

}  // namespace sweepd::ws
