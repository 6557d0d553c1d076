// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sweepd::tools {

/// Where in a file something is; both count from 1. A column is a character, not a byte.
struct FilePosition {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const FilePosition&, const FilePosition&) = default;
};

/// What is wrong in a file, and where.
struct FileError {
  FilePosition position = {};
  std::string message = {};
};

enum class TomlKind { kText, kInteger, kReal, kFlag, kTime, kList, kTable };

/// A value of a TOML document, everything in it included, with the positions that errors name.
struct TomlValue {
  TomlKind kind = TomlKind::kTable;
  FilePosition position = {};
  std::string text = {};              ///< Of kText.
  std::int64_t integer = 0;           ///< Of kInteger.
  double real = 0;                    ///< Of kReal, and of kInteger.
  bool flag = false;                  ///< Of kFlag.
  std::string key = {};               ///< Of what is in a table,
  FilePosition key_position = {};     ///< and where its key is.
  std::vector<TomlValue> items = {};  ///< Of kList, and of kTable in the order of the file.
};

/// What a value is, for errors: "the text \"fast\"", "the number 1.5", "a list".
std::string describe(const TomlValue& value);

/// The table of the whole document, or the first thing in it that is no TOML.
std::variant<TomlValue, FileError> parse_toml(std::string_view text);

}  // namespace sweepd::tools
