// SPDX-License-Identifier: MIT
#include "clock_codec.h"

namespace sweepd::internal {

v1::Role encode(Role role) {
  switch (role) {
    case Role::kPlayer:
      return v1::ROLE_PLAYER;
    case Role::kStage:
      return v1::ROLE_STAGE;
    case Role::kObserver:
      return v1::ROLE_OBSERVER;
  }
  return v1::ROLE_UNSPECIFIED;
}

Role decode(v1::Role role) {
  switch (role) {
    case v1::ROLE_STAGE:
      return Role::kStage;
    case v1::ROLE_OBSERVER:
      return Role::kObserver;
    default:
      return Role::kPlayer;
  }
}

void encode(const ClockControl& control, v1::ClockControl* out) {
  if (control.paused) out->set_paused(*control.paused);
  if (control.tick_rate_hz) out->set_tick_rate_hz(*control.tick_rate_hz);
}

ClockState decode(const v1::ClockState& clock) {
  return {.paused = clock.paused(), .tick_rate_hz = clock.tick_rate_hz()};
}

}  // namespace sweepd::internal
