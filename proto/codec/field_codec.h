// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Structures into generated messages and back, row by row. A structure has a row for each of its members,
/// which `for_each_field(std::type_identity<Structure>(), visit)` visits: the `name` of the field, the
/// `member`, and in `access` the functions of messages that have a field of that name: `get`, `has`, `set`,
/// `open` (mutable_…). Contracts differ in what a `Dialect` says:
///
/// - `is_left_out(row, from, message)`: the field is not written.
/// - `is_given<Value>(access, message)`: the field is read; otherwise the member stays as by default.
/// - `number_of(kind)`, `read_kind(number, kind, path)`: the numbers of enumerators.
/// - `write(value, access, message, path)`, `read(access, message, value, path)`, `write_entry(entry,
/// message, path)`, `read_entry(message, entry)`: types that have a form of their own.
/// - `note_count(path, count, range)`, where the dialect has it: a list is longer than its row's `range`; it
/// is not read.
/// - `fault`: a FirstFault.
namespace sweepd::codec {

struct AnyRow {
  void operator()(const auto&) const {}
};

template <typename T>
concept Structure = requires {
  for_each_field(std::type_identity<T>(), AnyRow());
};

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsList = false;
template <typename T>
inline constexpr bool kIsList<std::vector<T>> = true;

/// The type of a row's member.
template <typename Struct, typename Row>
using ValueOf = std::remove_cvref_t<decltype(std::declval<Struct>().*std::declval<Row>().member)>;

/// Where in a message something is.
class Path {
 public:
  explicit Path(const char* name, const Path* outer = nullptr, int entry = -1)
      : name_(name), outer_(outer), entry_(entry) {}

  /// "scoring[2].when", or "scoring.when".
  std::string text(bool has_indices = true) const {
    const std::string outer = outer_ != nullptr ? outer_->text(has_indices) + "." : "";
    return outer + name_ + (has_indices && is_entry() ? "[" + std::to_string(entry_) + "]" : "");
  }
  /// "scoring"
  std::string_view first() const { return outer_ != nullptr ? outer_->first() : name_; }
  bool is_entry() const { return entry_ >= 0; }
  Path entry(int index) const { return Path(name_, outer_, index); }

 private:
  const char* name_;
  const Path* outer_;
  int entry_;  ///< Negative: the field itself.
};

/// Of many faults the one to tell: of those in the fields `order` the first by that order, or else the first
/// found.
template <typename Error>
class FirstFault {
 public:
  explicit FirstFault(std::vector<std::string_view> order) : order_(std::move(order)) {}

  /// A fault at `path` would not be the one: a message may have one in every byte.
  bool is_settled(const Path& path) const { return error_ && rank_of(path) >= rank_; }
  void note(const Path& path, Error error) {
    if (is_settled(path)) return;
    rank_ = rank_of(path);
    error_ = std::make_unique<Error>(std::move(error));
  }
  /// Null: there is none.
  const Error* error() const { return error_.get(); }

 private:
  std::ptrdiff_t rank_of(const Path& path) const {
    return std::find(order_.begin(), order_.end(), path.first()) - order_.begin();
  }

  std::vector<std::string_view> order_;
  std::ptrdiff_t rank_ = 0;
  std::unique_ptr<Error> error_ = {};
};

template <typename Struct>
void write_fields(auto& dialect, const Struct& from, auto& message, const Path* outer = nullptr);
template <typename Struct>
void read_fields(auto& dialect, const auto& message, Struct& into, const Path* outer = nullptr);

template <typename Entry>
void write_list(auto& dialect, const std::vector<Entry>& entries, auto& list, const Path& path) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Path entry_path = path.entry(static_cast<int>(i));
    if constexpr (std::is_same_v<Entry, std::string>) {
      *list.Add() = entries[i];
    } else if constexpr (std::is_enum_v<Entry>) {
      list.Add(static_cast<typename std::remove_cvref_t<decltype(list)>::value_type>(
          dialect.number_of(entries[i])));
    } else if constexpr (requires { dialect.write_entry(entries[i], *list.Add(), entry_path); }) {
      dialect.write_entry(entries[i], *list.Add(), entry_path);
    } else {
      write_fields(dialect, entries[i], *list.Add(), &entry_path);
    }
  }
}

template <typename Value>
void write(auto& dialect, const Value& value, const auto& access, auto& message, const Path& path) {
  if constexpr (requires { dialect.write(value, access, message, path); }) {
    dialect.write(value, access, message, path);
  } else if constexpr (kIsOptional<Value>) {
    if (value) write(dialect, *value, access, message, path);
  } else if constexpr (kIsList<Value>) {
    write_list(dialect, value, *access.open(message), path);
  } else if constexpr (Structure<Value>) {
    write_fields(dialect, value, *access.open(message), &path);
  } else if constexpr (std::is_enum_v<Value>) {
    access.set(message,
               static_cast<std::remove_cvref_t<decltype(access.get(message))>>(dialect.number_of(value)));
  } else {
    access.set(message, value);
  }
}

template <typename Struct>
void write_fields(auto& dialect, const Struct& from, auto& message, const Path* outer) {
  for_each_field(std::type_identity<Struct>(), [&](const auto& row) {
    if (dialect.is_left_out(row, from, message)) return;
    write(dialect, from.*row.member, row.access, message, Path(row.name, outer));
  });
}

template <typename Entry>
void read_list(auto& dialect, const auto& list, std::vector<Entry>& entries, const Path& path) {
  if constexpr (std::is_same_v<Entry, std::string>) {
    entries.assign(list.begin(), list.end());
  } else {
    if (dialect.fault.is_settled(path)) return;
    entries.reserve(static_cast<std::size_t>(list.size()));
    for (int i = 0; i < list.size() && !dialect.fault.is_settled(path); ++i) {
      const Path entry_path = path.entry(i);
      Entry& entry = entries.emplace_back();
      if constexpr (std::is_enum_v<Entry>) {
        dialect.read_kind(list.Get(i), entry, entry_path);
      } else if constexpr (requires { dialect.read_entry(list.Get(i), entry); }) {
        dialect.read_entry(list.Get(i), entry);
      } else {
        read_fields(dialect, list.Get(i), entry, &entry_path);
      }
    }
  }
}

template <typename Value>
void read(auto& dialect, const auto& access, const auto& message, Value& value, const Path& path) {
  if constexpr (requires { dialect.read(access, message, value, path); }) {
    dialect.read(access, message, value, path);
  } else if constexpr (kIsOptional<Value>) {
    if (access.has(message)) read(dialect, access, message, value.emplace(), path);
  } else if constexpr (kIsList<Value>) {
    read_list(dialect, access.get(message), value, path);
  } else if (dialect.template is_given<Value>(access, message)) {
    if constexpr (Structure<Value>) {
      value = Value();
      read_fields(dialect, access.get(message), value, &path);
    } else if constexpr (std::is_enum_v<Value>) {
      dialect.read_kind(access.get(message), value, path);
    } else {
      value = access.get(message);
    }
  }
}

/// A message of a mebibyte may have a hundred thousand entries, of which none would be good.
template <typename Value>
bool is_too_long(auto& dialect, const auto& row, const auto& message, const Path& path) {
  if constexpr (kIsList<Value> && requires { dialect.note_count(path, 0, *row.range); }) {
    const auto count = row.access.get(message).size();
    if (!row.range || count <= row.range->max) return false;
    dialect.note_count(path, static_cast<std::size_t>(count), *row.range);
    return true;
  }
  return false;
}

template <typename Struct>
void read_fields(auto& dialect, const auto& message, Struct& into, const Path* outer) {
  for_each_field(std::type_identity<Struct>(), [&](const auto& row) {
    using Value = ValueOf<Struct, std::remove_cvref_t<decltype(row)>>;
    const Path path(row.name, outer);
    if (is_too_long<Value>(dialect, row, message, path)) return;
    read(dialect, row.access, message, into.*row.member, path);
  });
}

}  // namespace sweepd::codec
