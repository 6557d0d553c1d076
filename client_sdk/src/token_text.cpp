// SPDX-License-Identifier: MIT
#include "token_text.h"

#include <charconv>

namespace sweepd::internal {
namespace {

/// As the contract has it (Joined.reconnect_token).
constexpr std::size_t kTokenBytes = 16;

}  // namespace

std::string token_text(std::string_view token) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : token) {
    const auto bits = static_cast<unsigned char>(byte);
    text += {kDigits[bits >> 4], kDigits[bits & 15]};
  }
  return text;
}

std::optional<std::string> token_of(std::string_view text) {
  if (text.size() != 2 * kTokenBytes) return std::nullopt;
  std::string token;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned char byte = 0;
    const char* const end = text.data() + i + 2;
    const auto read = std::from_chars(text.data() + i, end, byte, 16);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    token += static_cast<char>(byte);
  }
  return token;
}

Status malformed_token() {
  return {ErrorCode::kInvalidArgument,
          std::string(kTokenField) + " is not what Session::reconnect_token gave: 32 hexadecimal digits",
          {},
          kTokenField};
}

}  // namespace sweepd::internal
