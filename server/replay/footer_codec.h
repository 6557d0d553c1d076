// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "replay/ending.h"
#include "replay/head.h"
#include "replay/receipt.h"
#include "sweepd/replay/v1/file.pb.h"

namespace sweepd::replay {

void encode(const TicketSubject& subject, v1::TicketSubject& message);
void encode(const Head& head, v1::Header& message);
void encode(const Ending& ending, v1::Footer& message);
void encode(const Receipt& receipt, v1::Footer& message);
/// What files of digest version 1 do not have.
void leave_out_testimony(v1::Footer& message);

// What cannot be is said; nothing where all is well.

std::optional<std::string> decode(const v1::Header& message, Head& head);
std::optional<std::string> decode(const v1::Footer& message, Ending& ending);
/// Absent in the message: absent.
std::optional<std::string> decode(const v1::Footer& message, std::optional<Receipt>& receipt);

}  // namespace sweepd::replay
