// SPDX-License-Identifier: MIT
#include "tools/sweepctl/hex.h"

namespace sweepd::tools {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

/// 16: none.
std::size_t value_of(char digit) {
  const char lower = digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit;
  const std::size_t value = kDigits.find(lower);
  return value == std::string_view::npos ? 16 : value;
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    for (const int shift : {4, 0}) text += kDigits[static_cast<unsigned char>(byte) >> shift & 15];
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::size_t high = value_of(text[i]);
    const std::size_t low = value_of(text[i + 1]);
    if (high > 15 || low > 15) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

}  // namespace sweepd::tools
