// SPDX-License-Identifier: MIT
#include "tools/sweepctl/toml_key_scan.h"

#include <algorithm>

namespace sweepd::tools {
namespace {

constexpr std::size_t kKeyPartsMax = 16;

/// How long the string is that `text` begins with, its quotes included. One that does not end is the
/// parser's to refuse.
std::size_t string_bytes(std::string_view text) {
  const char quote = text.front();
  const bool has_lines = text.substr(0, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
  const std::string_view end = text.substr(0, has_lines ? 3 : 1);
  for (std::size_t at = end.size(); at < text.size(); ++at) {
    if (text.substr(at).starts_with(end)) return at + end.size();
    if (text[at] == '\n' && !has_lines) return at;
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return text.size();
}

/// How much of `text` has no dot of a key in it: a string, a comment, or a character.
std::size_t token_bytes(std::string_view text) {
  if (text.front() == '"' || text.front() == '\'') return string_bytes(text);
  if (text.front() == '#') return std::min(text.find('\n'), text.size());
  return 1;
}

void advance(FilePosition& position, std::string_view text) {
  for (const char byte : text) {
    if (byte == '\n') {
      ++position.line;
      position.column = 1;
    } else if ((static_cast<unsigned char>(byte) & 0xC0u) != 0x80u) {
      ++position.column;
    }
  }
}

}  // namespace

std::optional<FileError> find_deep_key(std::string_view toml) {
  constexpr std::string_view kEndsOfKeys = "\n=,[]{}";
  FilePosition position;
  std::size_t parts = 1;
  while (!toml.empty()) {
    if (toml.front() == '.') ++parts;
    if (kEndsOfKeys.find(toml.front()) != std::string_view::npos) parts = 1;
    if (parts > kKeyPartsMax) {
      return FileError{position, "a key has at most " + std::to_string(kKeyPartsMax) + " parts"};
    }
    const std::string_view token = toml.substr(0, token_bytes(toml));
    advance(position, token);
    toml.remove_prefix(token.size());
  }
  return std::nullopt;
}

}  // namespace sweepd::tools
