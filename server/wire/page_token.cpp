// SPDX-License-Identifier: MIT
#include "wire/page_token.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace sweepd::wire {

std::string encode_page_token(const collision::EncounterKey& last) {
  return std::to_string(last.object_a) + "-" + std::to_string(last.object_b) + "-" +
         std::to_string(last.layer_a) + "-" + std::to_string(last.layer_b);
}

std::optional<collision::EncounterKey> decode_page_token(const std::string& token) {
  std::array<std::uint32_t, 4> numbers{};
  const char* at = token.data();
  const char* const end = at + token.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '-')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc{}) return std::nullopt;
    at = next;
  }
  if (at != end || numbers[2] >= collision::kLayersMax || numbers[3] >= collision::kLayersMax)
    return std::nullopt;
  return collision::EncounterKey{numbers[0], numbers[1], static_cast<collision::LayerId>(numbers[2]),
                                 static_cast<collision::LayerId>(numbers[3])};
}

}  // namespace sweepd::wire
