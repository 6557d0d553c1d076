// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "match/field.h"

/// The rows of a structure and of all that it has.
namespace sweepd::match {

struct AnyField {
  void operator()(const auto&) const {}
};

template <typename T>
concept HasFields = requires {
  for_each_field(std::type_identity<T>(), AnyField());
};

template <typename T>
inline constexpr bool kIsListOfFields = false;
template <HasFields Entry>
inline constexpr bool kIsListOfFields<std::vector<Entry>> = true;

/// Where in lists the owner of a field is: its index, that of an outer list above it. Absent: in none.
using FieldPlace = std::optional<std::uint32_t>;

/// Calls `visit(field, owner, place)` for each row of `owner`, and of what it has, in the order of the rows.
template <HasFields Struct>
void for_each_field_within(const Struct& owner, const auto& visit, FieldPlace place = {}) {
  for_each_field(std::type_identity<Struct>(), [&](const auto& field) {
    visit(field, owner, place);
    const auto& value = owner.*field.member;
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (HasFields<Value>) {
      for_each_field_within(value, visit, place);
    } else if constexpr (kIsListOfFields<Value>) {
      std::uint32_t index = place.value_or(0) << 16;
      for (const auto& entry : value) for_each_field_within(entry, visit, index++);
    }
  });
}

template <typename Struct>
bool is_as_by_default(const auto& field, const Struct& owner) {
  return owner.*field.member == Struct().*field.member;
}

}  // namespace sweepd::match
