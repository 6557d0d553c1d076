// SPDX-License-Identifier: MIT
#include "verification/any_replay.h"

#include <utility>

#include "verification/input_log.h"
#include "verification/input_log_replay.h"

namespace sweepd::verification {

base::Result<AnyReplay, replay::FileFault> AnyReplay::open(std::string bytes) {
  if (is_input_log(bytes)) {
    auto converted = replay_of_input_log(bytes);
    if (!converted) return converted.error();
    bytes = std::move(*converted);
  }
  auto kept = std::make_unique<const std::string>(std::move(bytes));
  auto reader = replay::Reader::open(*kept);
  if (!reader) return reader.error();
  return AnyReplay(std::move(kept), std::move(*reader));
}

}  // namespace sweepd::verification
