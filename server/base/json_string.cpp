// SPDX-License-Identifier: MIT
#include "base/json_string.h"

namespace sweepd::base {

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

}  // namespace sweepd::base
