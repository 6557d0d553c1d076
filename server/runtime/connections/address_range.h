// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>

namespace sweepd::runtime {

/// Addresses that begin with the same bits.
class AddressRange {
 public:
  /// "10.0.0.1", "10.0.0.0/8", "fd00::/8". Nothing for anything else.
  static std::optional<AddressRange> parse(const std::string& text);

  /// An address of version 4 in its form of version 6 is the same address.
  bool contains(const boost::asio::ip::address& address) const;

 private:
  boost::asio::ip::address first_;
  unsigned bits_ = 0;  ///< Of an address of version 6, or of its form of version 6.
};

}  // namespace sweepd::runtime
