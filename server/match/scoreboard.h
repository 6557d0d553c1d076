// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/participant.h"

namespace sweepd::match {

/// A participant's score.
struct Score {
  ParticipantNumber participant = 0;
  std::string name = {};
  std::int64_t score = 0;
  bool has_left = false;  ///< The number may be another's by now.
};

/// The scores of all players and stages of a match that has scoring rules. Those of participants that left
/// stay, so that the end result is whole: of kFormerScoresMax of them at most, after which the one that left
/// first is forgotten; one that left without any points is not kept.
class Scoreboard {
 public:
  static constexpr std::size_t kFormerScoresMax = 1024;

  void join(ParticipantNumber number, const std::string& name);
  void leave(ParticipantNumber number);
  bool has(ParticipantNumber number) const;
  /// Ignored for a number without a participant. Stops at the ends of 64 bits.
  void add(ParticipantNumber number, std::int64_t points);

  /// Of present participants, by number.
  std::vector<Score> present() const;
  /// Of participants that left, the first first.
  const std::vector<Score>& former() const { return former_; }

  /// What changed since the last call of this, joins and departures included: of each the last. By number, of
  /// one number in the order in which they were. Valid until the next call.
  std::span<const Score> take_changed();

  /// What the last call of take_changed told is told.
  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  Score* find(ParticipantNumber number);
  void note(const Score& score);

  std::vector<Score> present_;
  std::vector<Score> former_;
  std::vector<Score> changed_;
  std::vector<Score> told_;
};

}  // namespace sweepd::match
