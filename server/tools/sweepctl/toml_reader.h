// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/sweepctl/field_places.h"
#include "tools/sweepctl/toml_tree.h"
#include "tools/sweepctl/trace_fields.h"

namespace sweepd::tools {

/// What came to light while a file was read.
struct FileNotes {
  FieldPlaces places = {};
  std::vector<FileError> errors = {};
  std::vector<std::string> outermost_keys = {};  ///< Of the file: a [table] above them makes them its own.
};

/// A word of a file and what it stands for.
template <typename Enum>
struct Word {
  const char* word;
  Enum value;
};

/// A value of a file on its way into a field of a config. Each `to_…` sets the field, or notes an error that
/// names the key, what was found and what may stand there, and leaves the field alone.
class TomlField {
 public:
  /// `key`: as the file's reader knows it; `field`: as FieldPlaces has it. The value and the notes must
  /// outlive it.
  TomlField(const TomlValue& value, std::string key, std::string field, FileNotes& notes);

  bool to_text(std::string& text) const;
  bool to_flag(bool& flag) const;
  /// A whole number.
  template <typename Number>
  bool to_number(NumberRange range, Number& number) const {
    if (!is_whole_number(range)) return false;
    number = static_cast<Number>(value_.integer);
    return true;
  }
  /// Playfield units: any number. Rounding and the range are the SDK's.
  bool to_length(double& length) const;
  template <typename Enum, std::size_t count>
  bool to_word(const std::array<Word<Enum>, count>& words, Enum& value) const {
    std::vector<std::string> known;
    for (const Word<Enum>& word : words) known.emplace_back(word.word);
    const std::optional<std::size_t> index = find_word(known);
    if (index) value = words[*index].value;
    return index.has_value();
  }
  /// Of a list; none, and an error, if it is no list.
  std::vector<TomlField> to_list() const;
  bool expect(TomlKind kind, const std::string& allowed) const;

  /// Notes an error here: "KEY MESSAGE".
  void fail(const std::string& message) const;
  void place(const std::string& field) const;

  const TomlValue& value() const { return value_; }
  const std::string& key() const { return key_; }
  const std::string& field() const { return field_; }
  FileNotes& notes() const { return notes_; }

 private:
  bool is_whole_number(NumberRange range) const;
  std::optional<std::size_t> find_word(const std::vector<std::string>& known) const;

  const TomlValue& value_;
  std::string key_;
  std::string field_;
  FileNotes& notes_;
};

/// A table of a file, read key by key; `finish` then finds the keys that were not read.
class TomlTable {
 public:
  /// No table: an error is noted, and it is empty.
  explicit TomlTable(TomlField origin);

  /// Nothing if the file does not give it.
  std::optional<TomlField> find(const std::string& key);
  /// The same, and an error where it is missing.
  std::optional<TomlField> require(const std::string& key);

  void length(const std::string& key, double& length);

  /// Notes an error for each key that was not asked for.
  void finish() const;
  const std::vector<std::string>& known() const { return known_; }
  const TomlField& origin() const { return origin_; }

 private:
  std::string key_of(const std::string& name) const;
  std::string field_of(const std::string& name) const;

  TomlField origin_;
  bool is_table_;
  std::vector<std::string> known_;
};

}  // namespace sweepd::tools
