// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sweepd/replay/v1/file.pb.h"

namespace sweepd::replay {

/// The links of a file, of which each depends on all records before it. All are SHA-256; numbers are
/// little-endian, of 8 bytes, but a key frame's version, of 4:
///
///   of the header     "sweepd replay 1\n" or, from digest version 2 on, "sweepd replay 2\n"; its Record
///   of a chunk        the link before; "chunk"; first tick; number of ticks; content
///   of a key frame    the link before; "key frame"; tick; digest; version; from digest version 2 on its
///   time;
///                     content
class RecordChain {
 public:
  /// `header`: the first record, as it stands in the file.
  RecordChain(std::string_view header, std::uint32_t digest_version);

  /// The link of a record that follows; from then on it is the last. Its own `link` is not looked at.
  const std::string& add(const v1::Chunk& chunk);
  const std::string& add(const v1::KeyFrame& key_frame);

  const std::string& last() const { return link_; }

 private:
  bool has_times_;
  std::string link_;
};

}  // namespace sweepd::replay
