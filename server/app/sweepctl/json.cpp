// SPDX-License-Identifier: MIT
#include "app/sweepctl/json.h"

namespace sweepd::app {

std::string json_string(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      json += '\\';
      json += character;
    } else if (byte < 0x20) {
      json += "\\u00";
      json += kHex[byte >> 4];
      json += kHex[byte & 15];
    } else {
      json += character;
    }
  }
  return json + "\"";
}

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

}  // namespace sweepd::app
