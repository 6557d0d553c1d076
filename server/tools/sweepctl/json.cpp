// SPDX-License-Identifier: MIT
#include "tools/sweepctl/json.h"

namespace sweepd::tools {

std::string json_array(const std::vector<std::string>& values) {
  std::string json = "[";
  for (const std::string& value : values) {
    if (json.size() > 1) json += ",";
    json += value;
  }
  return json + "]";
}

JsonObject& JsonObject::add_json(std::string_view name, std::string_view json) {
  if (!fields_.empty()) fields_ += ",";
  fields_ += json_string(name);
  fields_ += ":";
  fields_ += json;
  return *this;
}

}  // namespace sweepd::tools
