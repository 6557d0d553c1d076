// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "base/assert.h"
#include "replay/recorder.h"
#include "replay/tick_decoder.h"

namespace sweepd::recordings {

/// The tick that ran last, read from what the recorder has kept of it.
inline replay::TickRecord take_record(replay::Recorder& recorder) {
  auto records = replay::decode_ticks(recorder.take_tick().bytes);
  SWEEPD_ASSERT(records.ok() && records->size() == 1);
  return std::move(records->front());
}

}  // namespace sweepd::recordings
