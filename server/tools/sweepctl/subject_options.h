// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "replay/testimony.h"

namespace sweepd::tools {

/// --creator, --creator-issuer and --creator-tenant: who must have created a match, by its receipt.
inline CLI::Option* add_creator_options(CLI::App& command, replay::TicketSubject& creator) {
  CLI::Option* name = command
                          .add_option("--creator", creator.name,
                                      "Name of the ticket's subject that must have created the match, by its "
                                      "receipt")
                          ->type_name("NAME");
  command.add_option("--creator-issuer", creator.issuer, "Issuer of that ticket (default: any)")
      ->type_name("NAME")
      ->needs(name);
  command.add_option("--creator-tenant", creator.tenant, "Tenant of that subject (default: none)")
      ->type_name("NAME")
      ->needs(name);
  return name;
}

}  // namespace sweepd::tools
