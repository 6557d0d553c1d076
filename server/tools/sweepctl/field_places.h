// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tools/sweepctl/toml_tree.h"

namespace sweepd::tools {

/// Where a file gives a field.
struct FieldPlace {
  std::string key = {};  ///< As the file has it: "collides.player[1]".
  FilePosition position = {};
};

/// Where a file gives the fields of a config. Fields are named as errors of a server and of the SDK name
/// them, without "config.": "scoring[1].layer_a".
class FieldPlaces {
 public:
  void add(std::string field, FieldPlace place) { places_[std::move(field)] = std::move(place); }
  /// The field and all that is in it are not the file's any more.
  void forget(std::string_view field);

  bool contains(std::string_view field) const { return places_.contains(field); }
  /// Of the field, or of the closest thing around it that the file gives; nothing if that is no field.
  std::optional<FieldPlace> find(std::string_view field) const;

 private:
  std::map<std::string, FieldPlace, std::less<>> places_;
};

}  // namespace sweepd::tools
