// SPDX-License-Identifier: MIT
#include "rpc/listen_address.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/system/system_error.hpp>
#include <charconv>

namespace sweepd::rpc {
namespace {

using boost::asio::ip::tcp;

void try_to_listen(boost::asio::io_context& context, const tcp::endpoint& endpoint) {
  tcp::acceptor acceptor(context, endpoint.protocol());
  // Connections of a server that is gone must not keep the next one from starting; one that listens must.
  acceptor.set_option(tcp::acceptor::reuse_address(true));
  if (endpoint.protocol() == tcp::v6()) acceptor.set_option(boost::asio::ip::v6_only(true));
  acceptor.bind(endpoint);
  acceptor.listen(1);
}

}  // namespace

std::optional<ListenAddress> ListenAddress::parse(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  ListenAddress address;
  address.host = text.substr(0, colon);
  if (address.host.front() == '[' && address.host.back() == ']' && address.host.size() > 2) {
    address.host = address.host.substr(1, address.host.size() - 2);
  } else if (address.host.find_first_of(":[]") != std::string::npos) {
    return std::nullopt;
  }
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc{} || next != end) return std::nullopt;
  return address;
}

std::string ListenAddress::to_string() const {
  const bool is_version_6 = host.find(':') != std::string::npos;
  return (is_version_6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::optional<std::string> find_obstacle(const ListenAddress& address) {
  try {
    boost::asio::io_context context;
    tcp::resolver resolver(context);
    for (const auto& entry :
         resolver.resolve(address.host, std::to_string(address.port), tcp::resolver::passive)) {
      try_to_listen(context, entry.endpoint());
    }
  } catch (const boost::system::system_error& error) {
    return error.code().message();
  }
  return std::nullopt;
}

}  // namespace sweepd::rpc
