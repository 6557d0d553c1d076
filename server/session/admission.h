// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "identity/principal.h"

namespace sweepd::session {

/// Who a caller is, and until when that is so.
struct Admission {
  static constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

  identity::Principal principal = {};
  std::int64_t expires_s = kForever;  ///< Seconds since 1970.
  std::string key_id = {};            ///< Of its ticket, as the next.
  std::string ticket_id = {};
  std::uint64_t keys_version = 0;  ///< Of the gate's keys by which it was found good.
};

}  // namespace sweepd::session
