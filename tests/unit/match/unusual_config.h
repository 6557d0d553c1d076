// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "match/config.h"

namespace sweepd::match {

/// Sets members by their rows, none to what it is by default, numbers and texts each to one of its own. What
/// a match would say of them does not matter.
class UnusualValues {
 public:
  template <typename Value>
  void set(Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      const Range numbers = numbers_of(value);
      const auto last = static_cast<Value>(numbers.max);
      value = value == last ? static_cast<Value>(numbers.min) : last;
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = !value;
    } else if constexpr (std::is_integral_v<Value>) {
      value = static_cast<Value>(++last_number_);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = "text " + std::to_string(++last_number_);
    } else if constexpr (std::is_same_v<Value, RoleSet>) {
      value = {Role::kObserver};
    } else if constexpr (std::is_same_v<Value, collision::Part>) {
      value.box = {-8, -7, 6, 5};
      value.layer = static_cast<collision::LayerId>(++last_number_ % 64);
    } else {
      for_each_field(std::type_identity<Value>(), [&](const auto& field) { set(value.*field.member); });
    }
  }
  template <typename Value>
  void set(std::optional<Value>& value) {
    set(value.emplace());
  }
  template <typename Entry>
  void set(std::vector<Entry>& entries) {
    for (int i = 0; i < 2; ++i) set(entries.emplace_back());
  }

 private:
  std::uint32_t last_number_ = 1'000;
};

inline MatchConfig unusual_config() {
  MatchConfig config;
  UnusualValues().set(config);
  return config;
}

}  // namespace sweepd::match
