// SPDX-License-Identifier: MIT
#include "ws/web_socket_door.h"

namespace sweepd::ws {

// What a connection keeps of a client's bytes is one message, which the client's budget of bytes bounds.
std::vector<std::unique_ptr<session::SideLoopDoor>> WebSocketDoor::make_parts(
    std::size_t loops, const runtime::ClientLimits& /*limits*/) {
  share_.parts.clear();
  std::vector<std::unique_ptr<session::SideLoopDoor>> parts;
  for (std::size_t i = 0; i < loops; ++i) {
    auto part = std::make_unique<LoopPart>(share_);
    share_.parts.push_back(part.get());
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace sweepd::ws
