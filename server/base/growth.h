// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sweepd::base {

/// What a vector that is a large part of a program's memory grows to: more by a thirty-second part where the
/// standard's doubles.
constexpr std::size_t tight_capacity(std::size_t size) { return size + size / 32 + 4; }

/// Appends to such a vector.
template <typename T, typename... Values>
T& append_tightly(std::vector<T>& vector, Values&&... values) {
  if (vector.size() == vector.capacity()) vector.reserve(tight_capacity(vector.size()));
  return vector.emplace_back(std::forward<Values>(values)...);
}

/// Before `more` are appended: it grows once, and not in the small steps of append_tightly, each a copy of all.
template <typename T>
void make_room(std::vector<T>& vector, std::size_t more) {
  const std::size_t size = vector.size() + more;
  if (size > vector.capacity()) vector.reserve(tight_capacity(size));
}

/// Resizes to more in the steps of append_tightly; of `value`, where that is given.
template <typename T, typename... Value>
void grow_to(std::vector<T>& vector, std::size_t size, const Value&... value) {
  if (size > vector.capacity()) vector.reserve(tight_capacity(size));
  vector.resize(size, value...);
}

}  // namespace sweepd::base
