// SPDX-License-Identifier: MIT
#include "runtime/log_line.h"

#include <algorithm>
#include <cstdint>

namespace sweepd::runtime {
namespace {

constexpr std::uint32_t kNoCharacter = 0xfffd;

struct Character {
  std::uint32_t code = kNoCharacter;
  std::size_t bytes = 1;
};

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// The character at the beginning of `text`, which is not empty; what is none is one byte of kNoCharacter.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  // Longer than need be, halves of pairs, or beyond what there is.
  constexpr std::uint32_t kFirstOfBytes[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_wrong = code < kFirstOfBytes[bytes] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  return is_wrong ? Character{} : Character{code, bytes};
}

/// Controls of ASCII and of Latin-1, ends of lines and paragraphs, and what turns the direction of writing.
bool is_unsafe(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == kNoCharacter;
}

void append_code(std::string& out, std::uint32_t code) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (const int shift : {12, 8, 4, 0}) out += kHex[code >> shift & 15];
}

/// Whether it can stand without quotes where fields are told apart by spaces.
bool is_plain(std::string_view text) {
  const auto is_safe = [](unsigned char byte) {
    return byte > 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '=';
  };
  return !text.empty() && text.size() <= kLogValueBytesMax && std::ranges::all_of(text, is_safe);
}

void append_quoted(std::string& out, std::string_view text, std::size_t bytes_max) {
  out += '"';
  append_escaped(out, text, bytes_max);
  out += '"';
}

/// As JSON; text without quotes where `may_be_plain` and it can be.
void append_value(std::string& out, const LogField& field, bool may_be_plain) {
  if (const auto* text = std::get_if<std::string_view>(&field.value)) {
    if (may_be_plain && is_plain(*text)) {
      out += *text;
    } else {
      append_quoted(out, *text, kLogValueBytesMax);
    }
  } else if (const auto* negative = std::get_if<std::int64_t>(&field.value)) {
    out += std::to_string(*negative);
  } else {
    out += std::to_string(std::get<std::uint64_t>(field.value));
  }
}

}  // namespace

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

std::string text_line(std::string_view message, std::span<const LogField> fields) {
  std::string line;
  append_escaped(line, message, kLogMessageBytesMax);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.name;
    line += '=';
    append_value(line, field, true);
  }
  return line;
}

std::string json_line(std::string_view message, std::span<const LogField> fields) {
  std::string line = "\"message\":";
  append_quoted(line, message, kLogMessageBytesMax);
  for (const LogField& field : fields) {
    line += ",\"";
    line += field.name;
    line += "\":";
    append_value(line, field, false);
  }
  return line;
}

}  // namespace sweepd::runtime
