// SPDX-License-Identifier: MIT
#include "verification/any_replay.h"

#include <utility>

#include "verification/input_log.h"
#include "verification/input_log_replay.h"

namespace sweepd::verification {

base::Result<AnyReplay, replay::FileFault> AnyReplay::open(std::string bytes) {
  const bool is_log = is_input_log(bytes);
  if (is_log) {
    auto converted = replay_of_input_log(bytes);
    if (!converted) return converted.error();
    bytes = std::move(*converted);
  }
  auto kept = std::make_unique<const std::string>(std::move(bytes));
  auto reader = replay::Reader::open(*kept);
  if (!reader) return reader.error();
  return AnyReplay(std::move(kept), std::move(*reader), is_log);
}

}  // namespace sweepd::verification
