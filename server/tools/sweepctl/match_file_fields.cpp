// SPDX-License-Identifier: MIT
#include "tools/sweepctl/match_file_fields.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codec/field_codec.h"
#include "match/config.h"
#include "sweepd/config_fields.h"
#include "tools/sweepctl/match_file_parts.h"
#include "tools/sweepctl/match_file_words.h"

namespace sweepd::tools {
namespace {

using Ranges = std::map<std::string, NumberRange, std::less<>>;

template <typename T>
struct EntryOf : std::type_identity<T> {};
template <typename T>
struct EntryOf<std::vector<T>> : std::type_identity<T> {};

/// The ranges of a match's own rules, by field: "scoring.points".
template <typename Struct>
void add_ranges(const std::string& outer, Ranges& ranges) {
  for_each_field(std::type_identity<Struct>(), [&](const auto& row) {
    using Entry = typename EntryOf<codec::ValueOf<Struct, decltype(row)>>::type;
    if (row.range) ranges[outer + row.name] = {row.range->min, row.range->max};
    if constexpr (codec::Structure<Entry>) add_ranges<Entry>(outer + row.name + ".", ranges);
  });
}

/// Of the field, whichever entry of a list it is in.
NumberRange range_of(const TomlField& field) {
  static const Ranges ranges = [] {
    Ranges all;
    add_ranges<match::MatchConfig>("", all);
    return all;
  }();
  std::string name;
  bool is_index = false;
  for (const char c : field.field()) {
    is_index = c == '[' || (is_index && c != ']');
    if (!is_index && c != ']') name += c;
  }
  constexpr std::string_view kContacts = "contacts";  // Of the pairs in `collides`.
  if (name.starts_with(kContacts)) name.replace(0, kContacts.size(), "collides");
  const auto found = ranges.find(name);
  return found == ranges.end() ? kNumberRange : found->second;
}

/// What a table that is given has to have.
template <typename Struct>
bool is_required(std::string_view name) {
  if (std::is_same_v<Struct, ParticipantSlot>) return name == "name";
  if (std::is_same_v<Struct, RoleLimits>) return name == "role";
  if (std::is_same_v<Struct, VisibilityRule>) return name == "role" || name == "layer" || name == "sees";
  if (std::is_same_v<Struct, ObjectTemplate>) return name == "name" || name == "shapes";
  if (std::is_same_v<Struct, TemplateShape>) return true;
  if (std::is_same_v<Struct, ScoringRule>) return name.starts_with("layer") || name == "points";
  return std::is_same_v<Struct, Box> || (std::is_same_v<Struct, LayerLimits> && name == "layer");
}

// TOML's whole numbers end at half of what a seed can be: a larger one is given as text.
bool to_seed(const TomlField& field, std::uint64_t& seed) {
  constexpr const char* kAllowed = "a whole number of at least 0, and in quotes if it is 2^63 or more";
  if (field.value().kind != TomlKind::kText) {
    if (!field.expect(TomlKind::kInteger, kAllowed)) return false;
    const bool is_number = field.value().integer >= 0;
    if (is_number) seed = static_cast<std::uint64_t>(field.value().integer);
    if (!is_number) field.fail("is " + describe(field.value()) + "; must be " + kAllowed);
    return is_number;
  }
  const std::string& text = field.value().text;
  const char* end = text.data() + text.size();
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc() && stop == end;
  if (is_number) seed = number;
  if (!is_number)
    field.fail("is " + describe(field.value()) + "; must be a whole number, 0 to 18446744073709551615");
  return is_number;
}

class ConfigReader {
 public:
  ConfigReader(const std::filesystem::path& folder, MatchConfig& config) : folder_(folder), config_(config) {}

  void read(TomlTable& file) {
    for_each_field(std::type_identity<MatchConfig>(), [&](const auto& row) {
      using Value = codec::ValueOf<MatchConfig, decltype(row)>;
      if constexpr (std::is_same_v<Value, std::vector<BitMask>>) {
        read_masks(file, folder_, config_);
      } else if constexpr (std::is_same_v<Value, std::vector<CollidingLayers>>) {
        read_contacts(file);
      } else if (std::string_view(row.name) == "layers") {
        layers_.emplace(read_layers(file, config_));
      } else if (const auto field = file.find(row.name)) {
        to_value(*field, row.name, config_.*row.member);
      }
    });
  }

 private:
  template <typename Struct>
  void read_fields(TomlTable& table, Struct& into) const {
    for_each_field(std::type_identity<Struct>(), [&](const auto& row) {
      const auto field = is_required<Struct>(row.name) ? table.require(row.name) : table.find(row.name);
      if (field) to_value(*field, row.name, into.*row.member);
    });
  }

  void read_contacts(TomlTable& file) const {
    read_collides(
        file, *layers_,
        [this](TomlTable& contact, CollidingLayers& rules) {
          for_each_field(std::type_identity<CollidingLayers>(), [&](const auto& row) {
            if (names_layers(row.name)) return;
            if (const auto field = contact.find(row.name)) to_value(*field, row.name, rules.*row.member);
          });
        },
        config_);
  }

  static bool names_layers(std::string_view name) { return name.find("layer") != std::string_view::npos; }

  // Each tells whether the value is one.
  bool to_value(const TomlField& field, std::string_view name, std::string& text) const {
    return names_layers(name) ? layers_->to_layer(field, text) : field.to_text(text);
  }
  bool to_value(const TomlField& field, std::string_view, bool& flag) const { return field.to_flag(flag); }
  bool to_value(const TomlField& field, std::string_view, double& length) const {
    return field.to_length(length);
  }
  bool to_value(const TomlField& field, std::string_view, std::uint64_t& seed) const {
    return to_seed(field, seed);
  }
  template <std::integral Number>
  bool to_value(const TomlField& field, std::string_view, Number& number) const {
    NumberRange range = range_of(field);
    if (number == 0) range.min = std::min<std::int64_t>(range.min, 0);  // It stands for the server's default.
    return field.to_number(range, number);
  }
  template <typename Kind>
  requires std::is_enum_v<Kind>
  bool to_value(const TomlField& field, std::string_view, Kind& kind) const {
    return field.to_word(words_of(kind), kind);
  }
  template <codec::Structure Struct>
  bool to_value(const TomlField& field, std::string_view, Struct& into) const {
    TomlTable table(field);
    read_fields(table, into);
    table.finish();
    return true;
  }
  bool to_value(const TomlField& field, std::string_view, Part& part) const {
    return read_part(field, *layers_, part);
  }
  template <typename Value>
  bool to_value(const TomlField& field, std::string_view name, std::optional<Value>& value) const {
    Value given = Value();
    if constexpr (std::is_integral_v<Value>) given = 1;  // Not 0: see above.
    if constexpr (codec::kIsList<Value>) {
      const bool is_roles = std::is_same_v<Value, std::vector<Role>>;
      if (!field.expect(TomlKind::kList,
                        is_roles ? "a list of roles in brackets" : "a list of names from layers"))
        return false;
    }
    if (!to_value(field, name, given)) return false;
    value = given;
    return true;
  }
  template <typename Entry>
  bool to_value(const TomlField& field, std::string_view name, std::vector<Entry>& entries) const {
    for (const TomlField& item : field.to_list()) {
      Entry entry = Entry();
      if (to_value(item, name, entry)) entries.push_back(std::move(entry));
    }
    return true;
  }

  const std::filesystem::path& folder_;
  MatchConfig& config_;
  std::optional<LayerNames> layers_ = {};
};

}  // namespace

void read_config(TomlTable& file, const std::filesystem::path& folder, MatchConfig& config) {
  ConfigReader(folder, config).read(file);
}

}  // namespace sweepd::tools
