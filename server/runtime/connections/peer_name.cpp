// SPDX-License-Identifier: MIT
#include "runtime/connections/peer_name.h"

namespace sweepd::runtime {

std::string peer_name(const boost::asio::ip::tcp::endpoint& peer) {
  const std::string host = peer.address().to_string();
  const std::string port = ":" + std::to_string(peer.port());
  return peer.address().is_v4() ? "ipv4:" + host + port : "ipv6:[" + host + "]" + port;
}

std::string peer_name(const boost::asio::ip::address& peer) {
  return (peer.is_v4() ? "ipv4:" : "ipv6:") + peer.to_string();
}

}  // namespace sweepd::runtime
