// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "replay/comparison.h"
#include "replay/reader.h"

namespace sweepd::replay {

/// A whole replay and its bytes.
struct ReadReplay {
  const Reader& reader;
  std::string_view bytes;
};

/// In what the records of two replays of the same ticks differ beside what compare_statements names, of each
/// kind the first: "engine version", "content of the key frame of tick 32", "delay of a frame of tick 5".
/// Nothing: they differ in nothing but how ticks are packed and divided into chunks.
base::Result<std::vector<std::string>, ComparisonFault> compare_records(const ReadReplay& first,
                                                                        const ReadReplay& second);

/// Whether it has a receipt, and that is not over what the file says.
bool has_wrong_receipt(const Reader& reader);

}  // namespace sweepd::replay
