// SPDX-License-Identifier: MIT
#include "identity/base64url.h"

#include <cstdint>

namespace sweepd::identity {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr unsigned kBitsOfDigit = 6;
constexpr unsigned kBitsOfByte = 8;

}  // namespace

std::string to_base64url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t waiting = 0;
  unsigned bits = 0;
  for (const char byte : bytes) {
    waiting = waiting << kBitsOfByte | static_cast<unsigned char>(byte);
    for (bits += kBitsOfByte; bits >= kBitsOfDigit; bits -= kBitsOfDigit) {
      text += kAlphabet[waiting >> (bits - kBitsOfDigit) & 63u];
    }
  }
  if (bits > 0) text += kAlphabet[waiting << (kBitsOfDigit - bits) & 63u];
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t waiting = 0;
  unsigned bits = 0;
  for (const char letter : text) {
    const std::size_t digit = kAlphabet.find(letter);
    if (digit == std::string_view::npos) return std::nullopt;
    waiting = waiting << kBitsOfDigit | static_cast<std::uint32_t>(digit);
    bits += kBitsOfDigit;
    if (bits >= kBitsOfByte) {
      bits -= kBitsOfByte;
      bytes += static_cast<char>(waiting >> bits & 255u);
    }
  }
  // An incomplete last byte, or nonzero bits after it, would be a second text of the same bytes.
  const bool has_rest = bits >= kBitsOfDigit || (waiting & ((1u << bits) - 1)) != 0;
  if (has_rest) return std::nullopt;
  return bytes;
}

}  // namespace sweepd::identity
