// SPDX-License-Identifier: MIT
#include "tools/sweepctl/toml_tree.h"

#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "tools/sweepctl/toml_key_scan.h"

namespace sweepd::tools {
namespace {

// What a parser makes up (the table `a` of `a.b = 1`) has no place of its own: it takes its owner's.
FilePosition position_of(const toml::source_region& source, FilePosition owner) {
  if (!source.begin) return owner;
  return {source.begin.line, source.begin.column};
}

TomlValue tree_of(const toml::node& node, FilePosition owner);

std::vector<TomlValue> items_of(const toml::table& table, FilePosition owner) {
  std::vector<TomlValue> items;
  for (const auto& [key, node] : table) {
    const FilePosition key_position = position_of(key.source(), owner);
    TomlValue value = tree_of(node, key_position);
    value.key = std::string(key.str());
    value.key_position = key_position;
    items.push_back(std::move(value));
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const TomlValue& a, const TomlValue& b) { return a.key_position < b.key_position; });
  return items;
}

std::vector<TomlValue> items_of(const toml::array& array, FilePosition owner) {
  std::vector<TomlValue> items;
  for (const toml::node& node : array) items.push_back(tree_of(node, owner));
  return items;
}

TomlValue tree_of(const toml::node& node, FilePosition owner) {
  TomlValue value;
  value.position = position_of(node.source(), owner);
  if (const toml::table* table = node.as_table()) {
    value.items = items_of(*table, value.position);
  } else if (const toml::array* array = node.as_array()) {
    value.kind = TomlKind::kList;
    value.items = items_of(*array, value.position);
  } else if (const auto* text = node.as_string()) {
    value.kind = TomlKind::kText;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlKind::kInteger;
    value.integer = integer->get();
    value.real = static_cast<double>(value.integer);
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = TomlKind::kReal;
    value.real = real->get();
  } else if (const auto* flag = node.as_boolean()) {
    value.kind = TomlKind::kFlag;
    value.flag = flag->get();
  } else {
    value.kind = TomlKind::kTime;
  }
  return value;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kShownMax = 40;
  if (text.size() <= kShownMax) return std::string(text);
  std::size_t end = kShownMax;
  // Not in the middle of a character of several bytes.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::string describe(const TomlValue& value) {
  switch (value.kind) {
    case TomlKind::kText:
      return "the text \"" + shortened(value.text) + "\"";
    case TomlKind::kInteger:
      return std::to_string(value.integer);
    case TomlKind::kReal: {
      std::ostringstream number;
      number << value.real;
      return "the number " + number.str();
    }
    case TomlKind::kFlag:
      return value.flag ? "true" : "false";
    case TomlKind::kTime:
      return "a date or a time";
    case TomlKind::kList:
      return "a list";
    case TomlKind::kTable:
      return "a table";
  }
  return "";
}

std::variant<TomlValue, FileError> parse_toml(std::string_view text) {
  if (auto error = find_deep_key(text)) return *std::move(error);
  try {
    return tree_of(toml::parse(text), {});
  } catch (const toml::parse_error& error) {
    return FileError{position_of(error.source(), {}), std::string(error.description())};
  }
}

}  // namespace sweepd::tools
