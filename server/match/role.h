// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "match/enum_range.h"
#include "match/field_check.h"

namespace sweepd::match {

enum class Role : std::uint8_t { kPlayer = 1, kStage = 2, kObserver = 3 };
constexpr Range numbers_of(Role) { return range_from<Role::kPlayer>(); }

/// Any of the roles.
class RoleSet {
 public:
  constexpr RoleSet() = default;
  constexpr RoleSet(std::initializer_list<Role> roles) {
    for (const Role role : roles) add(role);
  }
  explicit RoleSet(const std::vector<Role>& roles) {
    for (const Role role : roles) add(role);
  }

  constexpr void add(Role role) { bits_ |= bit_of(role); }
  constexpr bool contains(Role role) const { return (bits_ & bit_of(role)) != 0; }
  /// Ascending.
  std::vector<Role> list() const {
    std::vector<Role> roles;
    for (const Role role : {Role::kPlayer, Role::kStage, Role::kObserver}) {
      if (contains(role)) roles.push_back(role);
    }
    return roles;
  }
  friend constexpr bool operator==(RoleSet, RoleSet) = default;

 private:
  static constexpr std::uint8_t bit_of(Role role) {
    return static_cast<std::uint8_t>(1u << static_cast<std::uint8_t>(role));
  }

  std::uint8_t bits_ = 0;
};

}  // namespace sweepd::match
