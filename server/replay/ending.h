// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "match/match.h"
#include "match/scoreboard.h"
#include "replay/testimony.h"
#include "replay/tick_record.h"

namespace sweepd::replay {

/// Why a replay ends where it does.
enum class EndReason : std::uint8_t {
  kMatchEnded = 1,
  kStillRunning = 2,  ///< It was written while the match went on.
  kCut = 3,           ///< It was cut there.
};

/// The players and stages of a match. One that comes back under the same number, name and role is listed
/// once; past kParticipantsListedMax they are counted only.
struct Cast {
  std::vector<Join> participants = {};  ///< In the order in which they joined.
  std::uint64_t omitted = 0;
  /// Of seats that were taken with tickets; each once. Past kSeatHoldersListedMax without those who left
  /// without a score, of which no row of a score can be.
  std::vector<SeatHolder> holders = {};
  std::uint64_t holders_omitted = 0;  ///< Further ones, of whom rows may be.

  void note(const Join& join);
  /// False: it is there already, or there is no room for it.
  bool note(const SeatHolder& holder);
  /// The same in a match: where there is no room, the first who has left without a score makes some. So joins
  /// under any other names push out no holder of a seat that has a score.
  bool note(const SeatHolder& holder, const match::Match& match);
  /// Those among them.
  template <typename Any>
  void note(const std::vector<Any>& inputs) {
    for (const Any& input : inputs) {
      if (const Join* join = std::get_if<Join>(&input)) note(*join);
    }
  }

  /// Whether the same joined; who holds their seats is only told.
  bool has_same_participants(const Cast& other) const {
    return participants == other.participants && omitted == other.omitted;
  }
  friend bool operator==(const Cast&, const Cast&) = default;
};

/// What a match had come to where its replay ends.
struct Ending {
  EndReason reason = EndReason::kMatchEnded;
  std::uint64_t tick_count = 0;
  std::uint64_t final_digest = 0;
  std::vector<match::Score> scores = {};
  Cast cast = {};
  Timeline timeline = {};  ///< From digest version kDigestVersionWithStatements on.
};

/// Of present participants, by number; then of those that left, the first first.
std::vector<match::Score> scores_of(const match::Match& match);

bool is_equal(const match::Score& a, const match::Score& b);

}  // namespace sweepd::replay
