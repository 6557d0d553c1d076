// SPDX-License-Identifier: MIT
#include "runtime/connections/proxy_header.h"

#include <algorithm>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

namespace sweepd::runtime {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSignature = "\r\n\r\n\0\r\nQUIT\n"sv;
constexpr std::size_t kFixedBytes = 16;  ///< Signature, version and command, family, length.
constexpr unsigned kVersion2 = 0x20;
constexpr unsigned kLocal = 0;
constexpr unsigned kProxy = 1;
constexpr unsigned kTcp4 = 0x11;
constexpr unsigned kTcp6 = 0x21;

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

template <typename Address>
Address address_from(std::string_view bytes) {
  typename Address::bytes_type raw;
  std::copy_n(bytes.begin(), raw.size(), raw.begin());
  return Address(raw);
}

/// The source address; the rest of `content` is its port, the destination, and what senders add.
std::optional<boost::asio::ip::address> source(unsigned family, std::string_view content) {
  if (family == kTcp4 && content.size() >= 12)
    return address_from<boost::asio::ip::address_v4>(content.substr(0, 4));
  if (family == kTcp6 && content.size() >= 36)
    return address_from<boost::asio::ip::address_v6>(content.substr(0, 16));
  return std::nullopt;
}

}  // namespace

ProxyHeader parse_proxy_header(std::string_view bytes) {
  const std::size_t known = std::min(bytes.size(), kSignature.size());
  if (bytes.substr(0, known) != kSignature.substr(0, known)) return {.state = ProxyHeader::State::kNone};
  if (bytes.size() < kFixedBytes) return {.state = ProxyHeader::State::kIncomplete};
  const std::size_t size = kFixedBytes + (byte_at(bytes, 14) << 8) + byte_at(bytes, 15);
  const unsigned command = byte_at(bytes, 12) - kVersion2;
  if (size > ProxyHeader::kBytesMax || command > kProxy) return {.state = ProxyHeader::State::kMalformed};
  if (bytes.size() < size) return {.state = ProxyHeader::State::kIncomplete};
  if (command == kLocal) return {.state = ProxyHeader::State::kComplete, .bytes = size};
  const auto client = source(byte_at(bytes, 13), bytes.substr(kFixedBytes, size - kFixedBytes));
  if (!client) return {.state = ProxyHeader::State::kMalformed};
  return {.state = ProxyHeader::State::kComplete, .bytes = size, .client = client};
}

}  // namespace sweepd::runtime
