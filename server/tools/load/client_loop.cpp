// SPDX-License-Identifier: MIT
#include "tools/load/client_loop.h"

#include "tools/load/frame_bytes.h"

namespace sweepd::tools::load {

void ClientLoop::add_frame(std::uint32_t before, v1::Frame& frame, MoveRows& rows) {
  const std::uint32_t tick = ticks();
  const bool probes = in_contact_after(before) != in_contact_after(tick);
  if (probes) rows.add(probe().mover, probe_.position(before), probe_.position(tick));
  frames_.push_back({play_request(frame), probes});
}

std::string ClientLoop::restarted(std::uint32_t tick, v1::Frame& frame) const {
  add_absolute_move(frame, probe().mover, probe_.position(tick));
  return whole_request(frame);
}

}  // namespace sweepd::tools::load
