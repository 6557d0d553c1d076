// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "replay/testimony.h"

namespace sweepd::tools {

/// `option`, `option`-issuer and `option`-tenant: whose ticket must have been shown, by the receipt.
inline CLI::Option* add_subject_options(CLI::App& command, const std::string& option,
                                        const std::string& description, replay::TicketSubject& subject) {
  CLI::Option* name = command.add_option(option, subject.name, description)->type_name("NAME");
  command.add_option(option + "-issuer", subject.issuer, "Issuer of that ticket (default: any)")
      ->type_name("NAME")
      ->needs(name);
  command.add_option(option + "-tenant", subject.tenant, "Tenant of that subject (default: none)")
      ->type_name("NAME")
      ->needs(name);
  return name;
}

/// Who must have created a match.
inline CLI::Option* add_creator_options(CLI::App& command, replay::TicketSubject& creator) {
  return add_subject_options(command, "--creator",
                             "Name of the ticket's subject that must have created the match, by its receipt",
                             creator);
}

}  // namespace sweepd::tools
