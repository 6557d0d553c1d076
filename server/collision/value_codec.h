// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash_secret.h"
#include "collision/object.h"

namespace sweepd::collision {

// Values of this module as bytes. Reading takes any value that the types can hold, as frames may bring any:
// what of it a world can have is the world's to say.

void write(base::ByteWriter& writer, Point point);
Point read_point(base::ByteReader& reader);

void write(base::ByteWriter& writer, const Box& box);
Box read_box(base::ByteReader& reader);

void write(base::ByteWriter& writer, const Motion& motion);
Motion read_motion(base::ByteReader& reader);

void write(base::ByteWriter& writer, std::span<const Part> parts);
/// A fault where there are more than `parts_max`.
std::vector<Part> read_parts(base::ByteReader& reader, std::size_t parts_max);

void write(base::ByteWriter& writer, const ObjectSpec& spec);
ObjectSpec read_spec(base::ByteReader& reader);
inline constexpr std::size_t kSpecBytesMin = 10;

/// Lists of parts, of which many are alike: each that has come before is named by a number.
class PartListWriter {
 public:
  void write(base::ByteWriter& writer, std::span<const Part> parts);

 private:
  std::unordered_map<std::string, std::size_t, base::SecretHash>
      numbers_;  ///< By the bytes of the list; for look-ups only.
};

class PartListReader {
 public:
  /// At most kPartsMax parts. Valid until the next call.
  const std::vector<Part>& read(base::ByteReader& reader);

 private:
  std::vector<std::vector<Part>> lists_;
  std::vector<Part> none_;  ///< Where there is a fault.
};

}  // namespace sweepd::collision
