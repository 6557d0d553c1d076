// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace sweepd::runtime {

/// Has OpenSSL tell of every connection of TLS that this process makes from now on, whichever library makes
/// it: gRPC tells of none. Each is kept from renegotiating and from resuming an earlier session, whose
/// certificates may not be good any more. Before there are threads; further calls do nothing.
void count_handshakes();

std::uint64_t handshakes_begun();
/// Of servers: the connection ended before the client had finished its part.
std::uint64_t handshakes_failed();

/// A handshake that the server has broken off. One that the client gives up is none.
struct HandshakeRefusal {
  std::string peer;  ///< Of the HandshakePeer.
  std::string
      reason;  ///< OpenSSL's: "certificate verify failed: certificate has expired". Nothing of what came.
};
/// `tell` is called for each from now on, by the thread that ends its connection.
void tell_handshake_refusals(void (*tell)(const HandshakeRefusal& refusal));

/// While this lives, connections of TLS that its thread begins are those of this peer. Neither library says
/// later whose they are.
class HandshakePeer {
 public:
  explicit HandshakePeer(std::string name);
  ~HandshakePeer();
  HandshakePeer(const HandshakePeer&) = delete;
  HandshakePeer& operator=(const HandshakePeer&) = delete;

  /// Of the calling thread, for a thread that begins the connection in its place; empty: none lives.
  static std::string present();

 private:
  const std::string name_;
};

}  // namespace sweepd::runtime
