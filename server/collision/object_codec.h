// SPDX-License-Identifier: MIT
#pragma once

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/value_codec.h"
#include "collision/world.h"

namespace sweepd::collision {

/// An object at the end of a tick: all of it that the ticks to come depend on.
struct ObjectRecord {
  ObjectSpec spec = {};  ///< As if it came to be as it is now; without time to live.
  Tick disabled_until = 0;
  Tick expires_at = kForever;
  bool is_frozen = false;
};

/// Writes the objects of a world at the end of `tick`, by ascending id.
class ObjectWriter {
 public:
  explicit ObjectWriter(Tick tick) : tick_(tick) {}
  void write(base::ByteWriter& writer, const ObjectView& object);

 private:
  Tick tick_;
  ObjectId last_id_ = 0;
  OwnerId last_owner_ = 0;
  PartListWriter parts_;
};

/// Reads them back. Ids ascend, deadlines are yet to come; parts are unchecked.
class ObjectReader {
 public:
  explicit ObjectReader(Tick tick) : tick_(tick) {}
  ObjectRecord read(base::ByteReader& reader);

 private:
  Tick read_deadline(base::ByteReader& reader);

  Tick tick_;
  ObjectId last_id_ = 0;
  OwnerId last_owner_ = 0;
  PartListReader parts_;
};

inline constexpr std::size_t kObjectBytesMin = 5;

}  // namespace sweepd::collision
