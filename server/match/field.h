// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "match/field_check.h"

namespace sweepd::match {

struct MatchConfig;

/// A field of a config at fault, for a check of its own.
template <typename Struct>
struct FieldIn {
  const std::string& path;  ///< "claims.policy"
  const Struct& owner;
  const MatchConfig& config;  ///< That it is a part of.
};

/// A row of the table of a config's fields. Each structure of a config has a `for_each_field` below it, with
/// a row for each of its members, in the order in which faults are told. Rules, the codecs of replays and of
/// the public contract, match files and tests go by these rows: a new field is a member and its row.
template <typename Struct, typename Value, typename Access>
struct Field {
  using Check = Found (*)(const FieldIn<Struct>& field);

  constexpr Field(const char* its_name, Value Struct::*its_member, Access its_access)
      : name(its_name), member(its_member), access(its_access) {}

  /// Bounds a number, the bytes of a text, the length of a list.
  constexpr Field in(Range allowed) const {
    Field field = *this;
    field.range = allowed;
    return field;
  }
  /// Judges by `its_check` alone; a range is then for readers of match files.
  constexpr Field by(Check its_check) const {
    Field field = *this;
    field.check = its_check;
    return field;
  }
  /// Equal calls may come to something else with another value: so the digest has it (digest.h).
  constexpr Field digested() const {
    Field field = *this;
    field.is_digested = true;
    return field;
  }
  /// The same of a field that came when there were digests already: the digest has it under a number of its
  /// own, and only where it is not as by default. No number is used twice.
  constexpr Field digested_as(std::uint32_t its_setting) const {
    Field field = digested();
    field.setting = its_setting;
    return field;
  }
  /// A replay whose config has it otherwise than by default is of this version of its format, or a later one.
  constexpr Field since_format(std::uint32_t its_version) const {
    Field field = *this;
    field.format_version = its_version;
    return field;
  }
  /// A label, or how the match is transported and computed: no part of its rules (rules.h).
  constexpr Field outside_rules() const {
    Field field = *this;
    field.is_rule = false;
    return field;
  }

  const char* name;  ///< In the public contract, in replays, in match files and in errors.
  Value Struct::*member;
  Access access;  ///< A FieldAccess.
  std::optional<Range> range = {};
  Check check = nullptr;
  bool is_digested = false;
  std::uint32_t setting = 0;         ///< 0: the digest has it among others, in a form written by hand.
  std::uint32_t format_version = 0;  ///< 0: in all replays.
  bool is_rule = true;
};

/// The functions by which generated messages give access to a field of a row's name. The codecs of such
/// messages use them (proto/codec); nothing in this module does.
template <typename Get, typename Has, typename Set, typename Open>
struct FieldAccess {
  Get get;
  Has has;
  Set set;
  Open open;
};
template <typename Get, typename Has, typename Set, typename Open>
FieldAccess(Get, Has, Set, Open) -> FieldAccess<Get, Has, Set, Open>;

#define SWEEPD_FIELD(Struct, field)                                                                     \
  ::sweepd::match::Field(                                                                               \
      #field, &Struct::field,                                                                           \
      ::sweepd::match::FieldAccess{                                                                     \
          [](const auto& message) -> decltype(message.field()) { return message.field(); },             \
          [](const auto& message) -> decltype(message.has_##field()) { return message.has_##field(); }, \
          [](auto& message, const auto& value) -> decltype(message.set_##field(value)) {                \
            return message.set_##field(value);                                                          \
          },                                                                                            \
          [](auto& message) -> decltype(message.mutable_##field()) { return message.mutable_##field(); }})

}  // namespace sweepd::match
