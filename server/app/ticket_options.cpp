// SPDX-License-Identifier: MIT
#include "app/ticket_options.h"

namespace sweepd::app {

void describe_tickets(CLI::App& app, TicketChoice& choice) {
  constexpr const char* kGroup = "Tickets";
  identity::TicketRules& rules = choice.tickets.rules;
  CLI::Option* keys =
      app.add_option(
             "--ticket-keys", choice.tickets.keys,
             "Public keys of tickets (JWKS): every caller needs a ticket. Read again when it changes, and "
             "on SIGHUP. Without it every caller is an operator")
          ->type_name("FILE")
          ->group(kGroup);
  app.add_option("--ticket-audience", rules.audience, "What a ticket's aud has to have")
      ->type_name("TEXT")
      ->capture_default_str()
      ->needs(keys)
      ->group(kGroup);
  app.add_option("--ticket-issuer", rules.issuers, "An iss that is good; may be given again")
      ->type_name("TEXT")
      ->default_str("any that its key may name")
      ->needs(keys)
      ->group(kGroup);
  app.add_option("--ticket-lifetime-max-s", rules.lifetime_max_s,
                 "Longest time from a ticket's nbf to its exp")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{366} * 24 * 60 * 60))
      ->type_name("SECONDS")
      ->capture_default_str()
      ->needs(keys)
      ->group(kGroup);
  app.add_flag("--anonymous", choice.allows_anonymous,
               "Serve without tickets elsewhere than on loopback, too: every caller is an operator")
      ->excludes(keys)
      ->group(kGroup);
}

}  // namespace sweepd::app
