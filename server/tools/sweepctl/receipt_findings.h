// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "replay/testimony.h"
#include "replay/verification.h"
#include "sweepd/v1/replay.pb.h"
#include "tools/sweepctl/json.h"

namespace sweepd::tools {

// What the receipt of a file that was verified says beside its scores: the server's word where its key is
// trusted, else the word of who wrote the file.

replay::TicketSubject subject_of(const v1::TicketSubject& message);

/// Whether it is of version 2, and over what its replay says.
bool tells_testimony(const v1::Receipt& receipt);

/// ", cut, UNRANKED, not signed: rules, creator and holders are what the file says, clock set to 5, 30 Hz (60
/// Hz at the beginning), paused 2 times for 3.5 s, 3 further changes of the clock (from 4.9 to 60.0 ticks a
/// second between key frames)": what leaderboards may not want; empty: nothing.
std::string receipt_remarks(const v1::Receipt& receipt, const replay::Verification& verification);

/// Creator, rules' name, holders of seats, end, clock and wall times. Pauses and rates are those of the
/// changes that are listed; how long it paused is null where some are not. Slowest and fastest are of whole
/// stretches between key frames, with pauses, and know of all changes.
void add_receipt(JsonObject& object, const v1::Receipt& receipt, const replay::Verification& verification);

}  // namespace sweepd::tools
