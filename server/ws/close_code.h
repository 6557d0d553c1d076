// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "session/status.h"

namespace sweepd::ws {

/// Why a side of a WebSocket closes it (RFC 6455, 7.4).
enum class CloseCode : std::uint16_t {
  kNormal = 1000,
  kProtocolError = 1002,
  kUnsupportedData = 1003,
  kNone = 1005,  ///< Never sent: the peer has given none.
  kInvalidData = 1007,
  kPolicyViolation = 1008,
  kTooLarge = 1009,
  kTryAgainLater = 1013,
};

/// Of a stream that has ended: 1000, or 4000 and google.rpc.Code.
inline CloseCode close_code_of(const session::Status& status) {
  constexpr std::uint16_t kPrivateUse = 4000;
  if (status.ok()) return CloseCode::kNormal;
  return static_cast<CloseCode>(kPrivateUse + static_cast<std::uint16_t>(status.code()));
}

/// Whether a peer may send it.
constexpr bool is_close_code(std::uint16_t code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

}  // namespace sweepd::ws
