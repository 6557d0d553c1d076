// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "replay/testimony.h"
#include "sweepd/v1/replay.pb.h"
#include "tools/sweepctl/json.h"

namespace sweepd::tools {

// What the receipt of a file that was verified says beside its scores: the server's word where its key is
// trusted, else the word of who wrote the file.

replay::TicketSubject subject_of(const v1::TicketSubject& message);

/// Whether it is of version 2, and over what its replay says.
bool tells_testimony(const v1::Receipt& receipt);

/// ", UNRANKED, clock set to 5, 30 Hz (60 Hz at the beginning), paused 2 times, 3 further changes of the
/// clock": what leaderboards may not want; empty: nothing.
std::string receipt_remarks(const v1::Receipt& receipt);

/// Creator, rules' name, holders of seats, end, clock and wall times.
void add_receipt(JsonObject& object, const v1::Receipt& receipt);

}  // namespace sweepd::tools
