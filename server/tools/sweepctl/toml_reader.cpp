// SPDX-License-Identifier: MIT
#include "tools/sweepctl/toml_reader.h"

#include <algorithm>
#include <utility>

#include "tools/sweepctl/nearest_word.h"

namespace sweepd::tools {
namespace {

std::string joined(const std::string& outer, const std::string& inner) {
  return outer.empty() ? inner : outer + "." + inner;
}

bool has_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string indexed(const std::string& name, std::size_t index) {
  return name + "[" + std::to_string(index) + "]";
}

}  // namespace

TomlField::TomlField(const TomlValue& value, std::string key, std::string field, FileNotes& notes)
    : value_(value), key_(std::move(key)), field_(std::move(field)), notes_(notes) {
  if (!field_.empty()) place(field_);
}

void TomlField::place(const std::string& field) const { notes_.places.add(field, {key_, value_.position}); }

void TomlField::fail(const std::string& message) const {
  notes_.errors.push_back({value_.position, key_ + " " + message});
}

bool TomlField::expect(TomlKind kind, const std::string& allowed) const {
  if (value_.kind == kind) return true;
  fail("is " + describe(value_) + "; must be " + allowed);
  return false;
}

bool TomlField::to_text(std::string& text) const {
  if (!expect(TomlKind::kText, "a text in quotes")) return false;
  text = value_.text;
  return true;
}

bool TomlField::to_flag(bool& flag) const {
  if (!expect(TomlKind::kFlag, "true or false")) return false;
  flag = value_.flag;
  return true;
}

bool TomlField::is_whole_number(NumberRange range) const {
  const std::string allowed =
      "a whole number, " + std::to_string(range.min) + " to " + std::to_string(range.max);
  if (!expect(TomlKind::kInteger, allowed)) return false;
  if (value_.integer >= range.min && value_.integer <= range.max) return true;
  fail("is " + describe(value_) + "; must be " + allowed);
  return false;
}

bool TomlField::to_length(double& length) const {
  const bool is_number = value_.kind == TomlKind::kInteger;
  if (!is_number && !expect(TomlKind::kReal, "a number of playfield units")) return false;
  length = value_.real;
  return true;
}

std::optional<std::size_t> TomlField::find_word(const std::vector<std::string>& known) const {
  if (!expect(TomlKind::kText, "one of the texts " + listed(known))) return std::nullopt;
  const auto found = std::find(known.begin(), known.end(), value_.text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  const std::string nearest = nearest_word(value_.text, known);
  fail("is " + describe(value_) + "; must be " + listed(known) +
       (nearest.empty() ? "" : " (did you mean \"" + nearest + "\"?)"));
  return std::nullopt;
}

std::vector<TomlField> TomlField::to_list() const {
  std::vector<TomlField> items;
  if (!expect(TomlKind::kList, "a list in brackets")) return items;
  for (std::size_t i = 0; i < value_.items.size(); ++i) {
    items.emplace_back(value_.items[i], indexed(key_, i), field_.empty() ? "" : indexed(field_, i), notes_);
  }
  return items;
}

TomlTable::TomlTable(TomlField origin)
    : origin_(std::move(origin)), is_table_(origin_.expect(TomlKind::kTable, "a table")) {}

std::string TomlTable::key_of(const std::string& name) const { return joined(origin_.key(), name); }
std::string TomlTable::field_of(const std::string& name) const { return joined(origin_.field(), name); }

std::optional<TomlField> TomlTable::find(const std::string& key) {
  if (!has_word(known_, key)) known_.push_back(key);
  if (!is_table_) return std::nullopt;
  const auto& items = origin_.value().items;
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.key == key; });
  if (found == items.end()) return std::nullopt;
  return TomlField(*found, key_of(key), field_of(key), origin_.notes());
}

std::optional<TomlField> TomlTable::require(const std::string& key) {
  std::optional<TomlField> field = find(key);
  if (!field && is_table_) {
    origin_.notes().errors.push_back({origin_.value().position, key_of(key) + " is missing; it is required"});
  }
  return field;
}

void TomlTable::length(const std::string& key, double& length) {
  if (const auto field = find(key)) field->to_length(length);
}

void TomlTable::finish() const {
  if (!is_table_) return;
  const std::vector<std::string>& elsewhere = origin_.notes().outermost_keys;
  for (const TomlValue& item : origin_.value().items) {
    if (has_word(known_, item.key)) continue;
    const bool is_misplaced = !origin_.key().empty() && has_word(elsewhere, item.key);
    origin_.notes().errors.push_back(
        {item.key_position, key_of(item.key) + " is no key that is known here; " +
                                (is_misplaced ? "\"" + item.key + "\" belongs above the file's first [table]"
                                              : suggestion(item.key, known_))});
  }
}

}  // namespace sweepd::tools
