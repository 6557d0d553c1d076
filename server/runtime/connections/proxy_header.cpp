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
constexpr std::size_t kTcp4Bytes = 12;  ///< Addresses and ports.
constexpr std::size_t kTcp6Bytes = 36;

// What a sender adds: a type, a length of two bytes, that many bytes.
constexpr std::size_t kExtraHeaderBytes = 3;
constexpr unsigned kSslExtra = 0x20;
constexpr unsigned kCommonNameExtra = 0x22;
constexpr std::size_t kSslFixedBytes = 5;  ///< What the client did, and what became of its certificate.
constexpr unsigned kUsesSsl = 1;
constexpr unsigned kHasCertificate = 2 | 4;  ///< On this connection, or when its session began.
constexpr std::size_t kCommonNameBytesMax = 256;

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

template <typename Address>
Address address_from(std::string_view bytes) {
  typename Address::bytes_type raw;
  std::copy_n(bytes.begin(), raw.size(), raw.begin());
  return Address(raw);
}

struct Source {
  boost::asio::ip::address address;
  std::string_view extras;  ///< After the addresses.
};

std::optional<Source> source(unsigned family, std::string_view content) {
  if (family == kTcp4 && content.size() >= kTcp4Bytes)
    return Source{address_from<boost::asio::ip::address_v4>(content.substr(0, 4)),
                  content.substr(kTcp4Bytes)};
  if (family == kTcp6 && content.size() >= kTcp6Bytes)
    return Source{address_from<boost::asio::ip::address_v6>(content.substr(0, 16)),
                  content.substr(kTcp6Bytes)};
  return std::nullopt;
}

/// Calls `on_extra` with the type and the content of each. False: they end in the middle of one, or it wants
/// no more.
template <typename OnExtra>
bool for_each_extra(std::string_view extras, OnExtra on_extra) {
  while (!extras.empty()) {
    if (extras.size() < kExtraHeaderBytes) return false;
    const std::size_t size = (byte_at(extras, 1) << 8) + byte_at(extras, 2);
    if (size > extras.size() - kExtraHeaderBytes) return false;
    if (!on_extra(byte_at(extras, 0), extras.substr(kExtraHeaderBytes, size))) return false;
    extras.remove_prefix(kExtraHeaderBytes + size);
  }
  return true;
}

bool is_visible(std::string_view text) {
  return std::ranges::none_of(text, [](char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return value < 0x20 || value == 0x7f;
  });
}

/// False: it cannot be understood. The name of a certificate that did not pass is none.
bool read_common_name(std::string_view content, std::string& name) {
  if (content.size() < kSslFixedBytes) return false;
  const unsigned client = byte_at(content, 0);
  const bool has_passed =
      content.substr(1, 4) == "\0\0\0\0"sv && (client & kUsesSsl) != 0 && (client & kHasCertificate) != 0;
  bool is_named = false;
  return for_each_extra(content.substr(kSslFixedBytes), [&](unsigned type, std::string_view value) {
    if (type != kCommonNameExtra) return true;
    if (is_named || value.size() > kCommonNameBytesMax || !is_visible(value)) return false;
    is_named = true;
    if (has_passed) name = value;
    return true;
  });
}

bool read_extras(std::string_view extras, std::string& common_name) {
  bool has_ssl = false;
  return for_each_extra(extras, [&](unsigned type, std::string_view content) {
    if (type != kSslExtra) return true;
    if (has_ssl) return false;  // Which of the two would hold?
    has_ssl = true;
    return read_common_name(content, common_name);
  });
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
  ProxyHeader header{.state = ProxyHeader::State::kComplete, .bytes = size, .client = client->address};
  if (!read_extras(client->extras, header.common_name)) return {.state = ProxyHeader::State::kMalformed};
  return header;
}

}  // namespace sweepd::runtime
