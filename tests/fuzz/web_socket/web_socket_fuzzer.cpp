// SPDX-License-Identifier: MIT
//
// Protects the second door: for any bytes, its reader of frames tells the same messages however they are
// split, keeps none beyond its bounds, and ends with a code that may be sent; and what it reads of a request
// by HTTP is refused or can be answered.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "base/visible_text.h"
#include "fuzz/decoders/decoder_table.h"
#include "ws/frame_reader.h"
#include "ws/frame_writer.h"
#include "ws/upgrade.h"

namespace sweepd::fuzz {
namespace {

using namespace sweepd::ws;

constexpr std::size_t kMessageBytesMax = 2048;

class Pieces final : public FrameSource {
 public:
  Pieces(std::string_view bytes, std::size_t piece_bytes) : bytes_(bytes), piece_bytes_(piece_bytes) {}

  std::size_t take(std::span<std::uint8_t> room) override {
    const std::size_t size = std::min({room.size(), piece_bytes_, bytes_.size()});
    std::memcpy(room.data(), bytes_.data(), size);
    bytes_.remove_prefix(size);
    return size;
  }
  bool has_room(std::size_t bytes) override { return bytes <= kMessageBytesMax; }

 private:
  std::string_view bytes_;
  const std::size_t piece_bytes_;
};

/// Everything that a reader tells of some bytes.
struct Heard {
  std::vector<std::string> messages;
  FrameReader::Result end{};
  CloseCode code{};
  friend bool operator==(const Heard&, const Heard&) = default;
};

Heard hear(std::string_view bytes, std::size_t piece_bytes) {
  Pieces source(bytes, piece_bytes);
  FrameReader reader(source, kMessageBytesMax);
  Heard heard;
  for (;;) {
    heard.end = reader.next();
    if (const auto ping = reader.take_ping()) SWEEPD_ASSERT(ping->size() <= kControlBytesMax);
    if (heard.end != FrameReader::Result::kMessage) break;
    SWEEPD_ASSERT(reader.message().size() <= kMessageBytesMax);
    heard.messages.push_back(reader.message());
  }
  if (heard.end == FrameReader::Result::kClose) heard.code = reader.close_code();
  if (heard.end == FrameReader::Result::kFault) heard.code = reader.fault().code;
  const auto code = static_cast<std::uint16_t>(heard.code);
  SWEEPD_ASSERT(code == 0 || heard.code == CloseCode::kNone || is_close_code(code));
  SWEEPD_ASSERT(heard.end == reader.next() || heard.end == FrameReader::Result::kNothing);
  return heard;
}

void read_frames(std::string_view bytes) {
  const Heard whole = hear(bytes, bytes.size() + 1);
  SWEEPD_ASSERT(hear(bytes, 1) == whole && hear(bytes, 13) == whole);
}

void read_request(std::string_view bytes) {
  const auto parsed = parse_head(bytes);
  if (!parsed) return SWEEPD_ASSERT(bytes.size() < kHeadBytesMax);
  const auto* const head = std::get_if<ParsedHead>(&*parsed);
  if (head == nullptr) return SWEEPD_ASSERT(to_text(std::get<HttpRefusal>(*parsed)).ends_with("\n"));
  SWEEPD_ASSERT(head->bytes <= bytes.size());
  const auto read = read_upgrade(head->head, Origins({"https://a"}));
  const auto* const upgrade = std::get_if<Upgrade>(&read);
  if (upgrade == nullptr)
    return SWEEPD_ASSERT(to_text(std::get<HttpRefusal>(read)).starts_with("HTTP/1.1 4") ||
                         std::get<HttpRefusal>(read).status == 505);
  SWEEPD_ASSERT(upgrade->path.find('?') == std::string::npos && upgrade->key.size() == 24);
  SWEEPD_ASSERT(accept_upgrade(*upgrade, "id").ends_with("\r\n\r\n"));
}

void write_close(std::string_view bytes) {
  std::string out;
  append_close(out, CloseCode::kNormal, bytes);
  SWEEPD_ASSERT(out.size() <= 2 + kControlBytesMax);
  if (base::is_utf8(bytes)) SWEEPD_ASSERT(base::is_utf8(std::string_view(out).substr(4)));
}

constexpr Decoder kDecoders[] = {{"frames", read_frames}, {"request", read_request}, {"close", write_close}};

}  // namespace
}  // namespace sweepd::fuzz

SWEEPD_FUZZ_DECODERS(sweepd::fuzz::kDecoders)
