// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sweepd::tools::load {

/// The frames of all that share a stream as one PlayRequest. All acknowledge the same tick: what comes down
/// comes for all of them.
class SharedRequest {
 public:
  explicit SharedRequest(std::uint64_t acknowledged_tick) : acknowledged_tick_(acknowledged_tick) {}

  /// `request`: a PlayRequest of one frame, as ClientLoop gives it; an acknowledgement that it may have
  /// already is replaced.
  void add(std::uint32_t participant, std::string_view request);

  /// Serialized.
  std::string bytes() const;

 private:
  std::uint64_t acknowledged_tick_;
  std::string frames_;
};

}  // namespace sweepd::tools::load
