// SPDX-License-Identifier: MIT
#include "runtime/connections/address_range.h"

#include <boost/asio/ip/address_v6.hpp>
#include <charconv>

namespace sweepd::runtime {
namespace {

using boost::asio::ip::address_v6;

address_v6::bytes_type bytes_of(const boost::asio::ip::address& address) {
  if (address.is_v6()) return address.to_v6().to_bytes();
  return boost::asio::ip::make_address_v6(boost::asio::ip::v4_mapped, address.to_v4()).to_bytes();
}

}  // namespace

std::optional<AddressRange> AddressRange::parse(const std::string& text) {
  const std::size_t slash = text.find('/');
  boost::system::error_code error;
  AddressRange range;
  range.first_ = boost::asio::ip::make_address(text.substr(0, slash), error);
  if (error) return std::nullopt;
  const unsigned bits_max = range.first_.is_v4() ? 32 : 128;
  unsigned bits = bits_max;
  if (slash != std::string::npos) {
    const char* const end = text.data() + text.size();
    const auto [next, failure] = std::from_chars(text.data() + slash + 1, end, bits);
    if (failure != std::errc{} || next != end || bits > bits_max) return std::nullopt;
  }
  range.bits_ = bits + 128 - bits_max;
  return range;
}

bool AddressRange::contains(const boost::asio::ip::address& address) const {
  const auto first = bytes_of(first_);
  const auto other = bytes_of(address);
  for (unsigned bit = 0; bit < bits_; ++bit) {
    const auto mask = static_cast<unsigned char>(0x80u >> (bit % 8));
    if (((first[bit / 8] ^ other[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

}  // namespace sweepd::runtime
