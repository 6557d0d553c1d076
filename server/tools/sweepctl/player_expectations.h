// SPDX-License-Identifier: MIT
#pragma once

#include "tools/sweepctl/verification_report.h"

namespace sweepd::tools {

// What a request says of a player, held against what came of its file. Each settles the verdict, where what
// comes before it leaves it open.

/// That who is named has played, and that the score is the sum of that player's rows: a player who left and
/// came back has several, and may not choose the best. SCORE_MISMATCH. Of an input log, who left without a
/// score has not played.
void check_player(VerificationReport& report);

/// That the subject's tickets held the seats of who is named, by the receipt; and, of who is named, that the
/// receipt lists all holders that may matter. BAD_SIGNATURE. After the receipt's key has been checked.
void check_holders(VerificationReport& report);

}  // namespace sweepd::tools
