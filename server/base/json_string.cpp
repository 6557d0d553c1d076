// SPDX-License-Identifier: MIT
#include "base/json_string.h"

#include "base/visible_text.h"

namespace sweepd::base {

std::string json_string(std::string_view text) {
  std::string json = "\"";
  append_escaped(json, text, text.size());
  return json + "\"";
}

}  // namespace sweepd::base
