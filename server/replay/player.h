// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "match/match.h"
#include "replay/tick_record.h"

namespace sweepd::replay {

/// Where a match that is played again became another one than its record says.
struct Divergence {
  Tick tick = 0;
  std::string what = {};  ///< For people: what was found, and what the record says.
};

/// Plays records on a match: from its first tick, or from wherever the match is, if it was brought back from
/// a key frame.
class Player {
 public:
  explicit Player(std::unique_ptr<match::Match> match) : match_(std::move(match)) {}

  /// Plays the tick that follows the last, and says what of it is not as the record has it. The rest of the
  /// tick is played all the same, and so may be the ticks to come, of what is another match from then on; but
  /// nothing where it is not the tick that follows, or none can. Takes the frames out of the record.
  std::optional<Divergence> play(TickRecord&& record);
  std::optional<Divergence> play(const TickRecord& record) { return play(TickRecord(record)); }

  const match::Match& match() const { return *match_; }
  /// What the last tick that was played brought, until the next; null: none was.
  const match::TickOutput* output() const { return output_; }
  /// To go on with it. The player is of no use after that.
  std::unique_ptr<match::Match> take_match() { return std::move(match_); }

 private:
  using Fault = std::optional<std::string>;

  Fault apply(Input& input);
  Fault apply_join(const Join& join);
  Fault apply_frame(Submission& submission);

  std::unique_ptr<match::Match> match_;
  const match::TickOutput* output_ = nullptr;
};

/// 16 hexadecimal digits.
std::string digest_text(std::uint64_t digest);

}  // namespace sweepd::replay
