// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sweepd::session {

/// Where a server listens.
struct ListenAddress {
  std::string host;  ///< A name or an address; of version 6 without brackets.
  std::uint16_t port = 0;

  /// "HOST:PORT", "[ADDRESS]:PORT". Nothing for anything else.
  static std::optional<ListenAddress> parse(const std::string& text);
  std::string to_string() const;
};

}  // namespace sweepd::session
