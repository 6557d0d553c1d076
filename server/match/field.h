// SPDX-License-Identifier: MIT
#pragma once

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

  /// The same where a structure is hashed by its rows, and this one came later: the digest has it by itself,
  /// and only where it is given.
  constexpr Field digested_apart() const {
    Field field = digested();
    field.is_digested_apart = true;
    return field;
  }

  const char* name;  ///< In the public contract, in replays, in match files and in errors.
  Value Struct::*member;
  Access access;  ///< A FieldAccess.
  std::optional<Range> range = {};
  Check check = nullptr;
  bool is_digested = false;
  bool is_digested_apart = false;
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
