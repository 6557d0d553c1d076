// SPDX-License-Identifier: MIT
#include "runtime/telemetry/log_line.h"

#include <algorithm>
#include <cstdint>

#include "base/visible_text.h"

namespace sweepd::runtime {
namespace {

using base::append_escaped;

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
