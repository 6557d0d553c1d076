// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "runtime/tls/certificate_store.h"
#include "session/door.h"
#include "ws/loop_part.h"

namespace sweepd::ws {

/// The door of clients that speak WebSocket: players and browsers. Each stream is a connection of its own,
/// with the messages of the contract in its frames.
class WebSocketDoor final : public session::SideDoor {
 public:
  /// `certificates`: of TLS, outlive it; null: connections are in plain text. `origins`: of pages that may
  /// come in.
  WebSocketDoor(const runtime::CertificateStore* certificates, std::vector<std::string> origins)
      : share_{.tls = TlsContexts(certificates), .origins = Origins(std::move(origins)), .parts = {}} {}

  std::vector<std::unique_ptr<session::SideLoopDoor>> make_parts(
      std::size_t loops, const runtime::ClientLimits& limits) override;

 private:
  DoorShare share_;
};

}  // namespace sweepd::ws
