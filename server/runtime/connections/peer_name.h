// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>

namespace sweepd::runtime {

/// For the log: "ipv4:192.0.2.1:40000", "ipv6:[2001:db8::1]:40000".
std::string peer_name(const boost::asio::ip::tcp::endpoint& peer);
/// Of one whose port is not known: "ipv4:192.0.2.1".
std::string peer_name(const boost::asio::ip::address& peer);

}  // namespace sweepd::runtime
