// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "match/match.h"
#include "replay/verification.h"

namespace sweepd::verification {

/// Plays a client's own input log and compares what came of it with what is claimed: in it, and in `options`.
/// As replay::verify in all else; a log has no digests but perhaps the last one, and no signature:
/// BAD_SIGNATURE where one is demanded. DIVERGED: the nonce or the final digest is another, or a join, a
/// leave or a whole frame is not possible in that tick; what follows is then read, but not played.
replay::Verification verify_input_log(std::string_view bytes,
                                      const replay::VerificationOptions& options = {});

/// Is told how the match of a log is played: what it takes, and each tick.
class InputLogWitness : public match::InputLog {
 public:
  virtual ~InputLogWitness() = default;
  /// `ends_match`: by the log, and not by a budget.
  virtual void ran(const match::Match& match, const match::TickOutput& output, bool ends_match) = 0;
};

/// The same before a witness.
replay::Verification play_input_log(std::string_view bytes, InputLogWitness& witness);

/// Of an input log or, where the bytes do not begin as one, a replay.
replay::Verification verify_any(std::string_view bytes, const replay::VerificationOptions& options = {});

}  // namespace sweepd::verification
