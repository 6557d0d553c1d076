// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sweepd::runtime {

/// What proves that who comes back is who left: 128 random bits, given once per seat.
class ReconnectToken {
 public:
  static ReconnectToken random();

  std::string bytes() const { return {bytes_.begin(), bytes_.end()}; }

  /// Takes the same time wherever the first difference is, so that nothing can be learnt from it.
  bool equals(std::string_view given) const;

 private:
  ReconnectToken() = default;
  std::array<char, 16> bytes_{};
};

}  // namespace sweepd::runtime
