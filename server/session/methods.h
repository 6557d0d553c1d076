// SPDX-License-Identifier: MIT
#pragma once

#include "session/match_calls.h"
#include "session/query_calls.h"
#include "session/replay_calls.h"

namespace sweepd::session {

/// The unary methods of the contract, a row each, by service: `visit(UnaryMethod)`. Every door offers them
/// all.
constexpr void for_each_match_method(const auto& visit) {
  constexpr bool kRelief = true;
  visit(UnaryMethod(create_match));
  visit(UnaryMethod(get_match));
  visit(UnaryMethod(list_matches));
  visit(UnaryMethod(end_match, kRelief));
  visit(UnaryMethod(step_match));
  visit(UnaryMethod(control_clock));
}
constexpr void for_each_query_method(const auto& visit) {
  visit(UnaryMethod(list_encounters));
  visit(UnaryMethod(query_region));
  visit(UnaryMethod(cast_ray));
  visit(UnaryMethod(find_nearest));
  visit(UnaryMethod(get_world));
  visit(UnaryMethod(validate_hits));
}
constexpr void for_each_replay_method(const auto& visit) { visit(UnaryMethod(get_public_key)); }

}  // namespace sweepd::session
