// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sweepd::runtime {

/// The beginning of a connection that a front has passed on, in the PROXY protocol, version 2.
struct ProxyHeader {
  enum class State {
    kNone,        ///< It begins with something else.
    kIncomplete,  ///< More has to come.
    kMalformed,   ///< It is one, and cannot be understood; or it is longer than kBytesMax.
    kComplete,
  };
  static constexpr std::size_t kBytesMax = 536;  ///< What the protocol lets a sender take for granted.

  State state = State::kIncomplete;
  std::size_t bytes = 0;  ///< Of the header, where it is complete: what follows is the client's.
  /// Nothing: the connection is the front's own (its check whether the server is there).
  std::optional<boost::asio::ip::address> client = {};
  /// Of the client's certificate, where the front asked for one and has checked it; empty: there is none.
  std::string common_name = {};
};

ProxyHeader parse_proxy_header(std::string_view bytes);

}  // namespace sweepd::runtime
