// SPDX-License-Identifier: MIT
#include "session/clock_codec.h"

#include "match/clock_config.h"

namespace sweepd::session {

base::Result<runtime::ClockControl, match::FieldError> decode_clock_control(const v1::ClockControl& message) {
  if (!message.has_paused() && !message.has_tick_rate_hz()) {
    return match::FieldError{"", "asks for nothing; paused or tick_rate_hz is needed"};
  }
  runtime::ClockControl control;
  if (message.has_paused()) control.is_paused = message.paused();
  if (message.has_tick_rate_hz()) {
    const auto error = match::check_number("tick_rate_hz", message.tick_rate_hz(), match::kTickRateRangeHz);
    if (error) return *error;
    control.tick_rate_hz = message.tick_rate_hz();
  }
  return control;
}

void encode_clock_state(const runtime::ClockState& clock, v1::ClockState& message) {
  message.set_paused(clock.is_paused);
  message.set_tick_rate_hz(clock.tick_rate_hz);
}

}  // namespace sweepd::session
