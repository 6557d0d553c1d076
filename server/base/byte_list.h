// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace sweepd::base {

/// How many there are, then each by `write_one(value)`.
template <typename T, typename WriteOne>
void write_list(ByteWriter& writer, const std::vector<T>& list, const WriteOne& write_one) {
  writer.number(list.size());
  for (const T& value : list) write_one(value);
}

/// Reads it back, each by `read_one()`, which takes `bytes_each` bytes at least. Empty where there is a
/// fault.
template <typename T, typename ReadOne>
std::vector<T> read_list(ByteReader& reader, std::size_t bytes_each, const ReadOne& read_one) {
  const std::size_t count = reader.count(bytes_each);
  std::vector<T> list;
  list.reserve(count);
  for (std::size_t i = 0; i < count && reader.ok(); ++i) list.push_back(read_one());
  if (!reader.ok()) list.clear();
  return list;
}

}  // namespace sweepd::base
