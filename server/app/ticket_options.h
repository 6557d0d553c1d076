// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "app/ticket_keys.h"

namespace sweepd::app {

/// Who may come in.
struct TicketChoice {
  TicketOptions tickets;
  bool allows_anonymous = false;  ///< Without keys, elsewhere than on loopback, too.
};

/// Adds the options to `app`, which write to `choice` when it parses.
void describe_tickets(CLI::App& app, TicketChoice& choice);

}  // namespace sweepd::app
