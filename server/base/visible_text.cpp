// SPDX-License-Identifier: MIT
#include "base/visible_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace sweepd::base {
namespace {

constexpr std::uint32_t kNoCharacter = 0xfffd;

struct Character {
  std::uint32_t code = kNoCharacter;
  std::size_t bytes = 1;
  bool is_valid = false;
};

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// That the character beginning with `lead` has; 0: none begins with it.
std::size_t bytes_of(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
}

/// The character at the beginning of `text`, which is not empty; what is none is one byte of kNoCharacter.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = bytes_of(text.front());
  if (bytes == 0 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  // Overlong forms, surrogates, and codes beyond Unicode.
  constexpr std::uint32_t kFirstOfBytes[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_wrong = code < kFirstOfBytes[bytes] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  return is_wrong ? Character{} : Character{code, bytes, true};
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

/// In their order. Beside control characters those that Unicode ignores where it cannot draw them
/// (Default_Ignorable_Code_Point), its spaces, and Braille's empty cell.
constexpr Range kUnsafe[] = {
    {0x0000, 0x001f},   {0x007f, 0x00a0},   {0x00ad, 0x00ad},  {0x034f, 0x034f}, {0x061c, 0x061c},
    {0x115f, 0x1160},   {0x1680, 0x1680},   {0x17b4, 0x17b5},  {0x180b, 0x180f}, {0x2000, 0x200f},
    {0x2028, 0x202f},   {0x205f, 0x206f},   {0x2800, 0x2800},  {0x3000, 0x3000}, {0x3164, 0x3164},
    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb}, {kNoCharacter, kNoCharacter},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

bool is_unsafe(std::uint32_t code) {
  const auto* range = std::ranges::lower_bound(kUnsafe, code, {}, &Range::last);
  return range != std::end(kUnsafe) && code >= range->first;
}

void append_unit(std::string& out, std::uint32_t unit) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (const int shift : {12, 8, 4, 0}) out += kHex[unit >> shift & 15];
}

/// In units of UTF-16, as JSON has them.
void append_code(std::string& out, std::uint32_t code) {
  if (code < 0x10000) return append_unit(out, code);
  append_unit(out, 0xd800 + ((code - 0x10000) >> 10));
  append_unit(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.is_valid) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

std::string visible(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (is_unsafe(character.code)) {
      append_code(line, character.code);
    } else {
      line += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return line;
}

void append_visible_lines(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of("\n\t"), text.size());
    out += visible(text.substr(0, plain));
    if (plain < text.size()) out += text[plain];
    text.remove_prefix(std::min(plain + 1, text.size()));
  }
}

std::size_t unfinished_bytes(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= 3 && bytes <= text.size(); ++bytes) {
    const char byte = text[text.size() - bytes];
    if (!is_continuation(byte)) return bytes_of(byte) > bytes ? bytes : 0;
  }
  return 0;
}

void append_escaped(std::string& out, std::string_view text, std::size_t bytes_max) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = first_character(text.substr(at));
    if (at + character.bytes > bytes_max) {
      out += "…";
      return;
    }
    if (is_unsafe(character.code)) {
      append_code(out, character.code);
    } else {
      if (character.code == '"' || character.code == '\\') out += '\\';
      out += text.substr(at, character.bytes);
    }
    at += character.bytes;
  }
}

std::string quoted(std::string_view name) {
  std::string text = "\"";
  append_escaped(text, name, kQuotedBytesMax);
  return text + '"';
}

}  // namespace sweepd::base
