// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/input.h"
#include "replay/testimony.h"
#include "runtime/budgets/budget_key.h"
#include "runtime/match/lives.h"
#include "runtime/match/match_clock.h"
#include "runtime/match/reconnect_token.h"

namespace sweepd::runtime {

/// What is needed to go on with a match and is none of its inputs: small, written whole whenever it changes.
struct StoredState {
  match::Tick tick = 0;  ///< The last that had run then.
  ClockState clock = {};
  Lives lives = {};
  struct Token {
    match::ParticipantNumber number = 0;
    TokenDigest digest = {};
    friend bool operator==(const Token&, const Token&) = default;
  };
  std::vector<Token> tokens = {};  ///< Of a seat all that may be good.
  struct Owner {
    match::ParticipantNumber number = 0;
    BudgetKey key = {};
    friend bool operator==(const Owner&, const Owner&) = default;
  };
  std::vector<Owner> owners = {};  ///< Of the seats that have one.
  /// Joins and departures since that tick: a match that waits for its players may not run the next for long.
  std::vector<match::SeatChange> arrivals = {};
  /// How far the match was durable before damage took it back to an earlier tick, until its next life counts
  /// what that cost; 0: nothing.
  match::Tick durable_tick_before = 0;
  replay::Timeline timeline = {};  ///< Of a match whose receipt tells it.
  /// The holders of seats since the last key frame, which has all before: they may have left again.
  std::vector<replay::SeatHolder> holders = {};
};

std::string encode(const StoredState& state);
std::optional<StoredState> decode_state(std::string_view bytes);

}  // namespace sweepd::runtime
