// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace sweepd::replay {

/// Appends a number, its lowest byte first.
template <std::unsigned_integral Number>
void append_number(std::string& bytes, Number number) {
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    bytes.push_back(static_cast<char>(number >> 8 * byte & 0xff));
  }
}

/// `bytes` must hold that many.
template <std::unsigned_integral Number>
Number read_number(std::string_view bytes) {
  Number number = 0;
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    number = static_cast<Number>(number | Number{static_cast<unsigned char>(bytes[byte])} << 8 * byte);
  }
  return number;
}

}  // namespace sweepd::replay
