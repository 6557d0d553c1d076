// SPDX-License-Identifier: MIT
#include "session/listen_address.h"

#include <charconv>

namespace sweepd::session {

std::optional<ListenAddress> ListenAddress::parse(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  ListenAddress address;
  address.host = text.substr(0, colon);
  const bool is_bracketed =
      address.host.front() == '[' && address.host.back() == ']' && address.host.size() > 2;
  if (is_bracketed) address.host = address.host.substr(1, address.host.size() - 2);
  if (address.host.find_first_of(is_bracketed ? "[]" : ":[]") != std::string::npos) return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc{} || next != end) return std::nullopt;
  return address;
}

std::string ListenAddress::to_string() const {
  const bool is_version_6 = host.find(':') != std::string::npos;
  return (is_version_6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace sweepd::session
