// SPDX-License-Identifier: MIT
#include "rpc/page_token.h"

#include <charconv>
#include <cstdint>

namespace sweepd::rpc {
namespace {

/// Takes a number and the dot behind it, if there is to be one, off the front.
template <typename Number>
bool take(const char*& at, const char* end, bool is_last, Number& number) {
  const auto [after, error] = std::from_chars(at, end, number);
  if (error != std::errc{} || after == at) return false;
  at = after;
  if (is_last) return at == end;
  return at != end && *at++ == '.';
}

}  // namespace

std::string encode_page_token(const collision::EncounterKey& last) {
  return std::to_string(last.object_a) + "." + std::to_string(last.object_b) + "." + std::to_string(last.layer_a) +
         "." + std::to_string(last.layer_b);
}

std::optional<collision::EncounterKey> decode_page_token(const std::string& token) {
  collision::EncounterKey key;
  const char* at = token.data();
  const char* const end = at + token.size();
  const bool ok = take(at, end, false, key.object_a) && take(at, end, false, key.object_b) &&
                  take(at, end, false, key.layer_a) && take(at, end, true, key.layer_b);
  return ok ? std::optional(key) : std::nullopt;
}

}  // namespace sweepd::rpc
