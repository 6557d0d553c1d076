// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/replay/v1/file.pb.h"

namespace sweepd::replay {

/// The links of a file, of which each depends on all records before it.
class RecordChain {
 public:
  /// `header`: the first record, as it stands in the file.
  explicit RecordChain(std::string_view header);

  /// The link of a record that follows; from then on it is the last. Its own `link` is not looked at.
  const std::string& add(const v1::Chunk& chunk);
  const std::string& add(const v1::KeyFrame& key_frame);

  const std::string& last() const { return link_; }

 private:
  std::string link_;
};

}  // namespace sweepd::replay
