// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_string.h"

namespace sweepd::tools {

using base::json_string;

/// A JSON array of values that are JSON already.
std::string json_array(const std::vector<std::string>& values);

/// A JSON object on one line, fields in the order in which they were added.
class JsonObject {
 public:
  JsonObject& add(std::string_view name, std::string_view text) { return add_json(name, json_string(text)); }
  template <std::integral Number>
  JsonObject& add(std::string_view name, Number number) {
    return add_json(name, std::to_string(number));
  }
  JsonObject& add_json(std::string_view name, std::string_view json);
  std::string text() const { return "{" + fields_ + "}"; }

 private:
  std::string fields_;
};

}  // namespace sweepd::tools
