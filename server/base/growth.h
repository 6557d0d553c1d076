// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sweepd::base {

/// Appends to a vector that is a large part of a program's memory: it grows by an eighth where the standard's doubles.
template <typename T, typename... Values>
T& append_tightly(std::vector<T>& vector, Values&&... values) {
  if (vector.size() == vector.capacity()) vector.reserve(vector.size() + vector.size() / 8 + 16);
  return vector.emplace_back(std::forward<Values>(values)...);
}

/// The same for a resize to more.
template <typename T>
void grow_to(std::vector<T>& vector, std::size_t size) {
  if (size > vector.capacity()) vector.reserve(size + size / 8 + 16);
  vector.resize(size);
}

}  // namespace sweepd::base
