// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/tick_record.h"
#include "sweepd/replay/v1/file.pb.h"

namespace sweepd::recordings {

/// A replay file taken apart by somebody who knows the format, to be put together again as it pleases: with
/// right sums, and, if wanted, with right links and a right index.
class Forgery {
 public:
  explicit Forgery(std::string_view replay);

  std::vector<replay::v1::Record> records;

  replay::v1::Header& header() { return *records.front().mutable_header(); }
  replay::v1::Footer& footer() { return *records.back().mutable_footer(); }
  /// Indices in `records`.
  std::vector<std::size_t> chunks() const;

  std::vector<replay::TickRecord> ticks_of(std::size_t record) const;
  void set_ticks(std::size_t record, const std::vector<replay::TickRecord>& ticks);

  std::vector<std::size_t> key_frames() const;

  std::string content_of_key_frame(std::size_t record) const;
  void set_content_of_key_frame(std::size_t record, std::string_view content);

  /// Links, index and number of ticks as they have to be; the header's own digest of the config, too.
  void make_consistent();

  std::string bytes() const;
};

}  // namespace sweepd::recordings
