// SPDX-License-Identifier: MIT
#include <ctime>
#include <iostream>
#include <optional>

#include "identity/base64url.h"
#include "identity/ticket_issuer.h"
#include "identity/ticket_verifier.h"
#include "identity/token_parts.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/private_file.h"
#include "tools/sweepctl/small_file.h"
#include "tools/sweepctl/ticket_key.h"

namespace sweepd::tools {
namespace {

constexpr std::size_t kNewTicketIdBytes = 16;

struct IssueOptions {
  std::string key;
  identity::Ticket ticket;
  std::string match_id;
  std::string lifetime = "1h";
  std::string output;  ///< The file; empty: stdout.
};

/// Takes issuer and tenant from the scope of the key if it has only one. Yields an error, or nothing.
std::string fill_in(const identity::KeyScope& scope, identity::Ticket& ticket) {
  if (ticket.subject.issuer.empty() && scope.issuers.size() == 1)
    ticket.subject.issuer = scope.issuers.front();
  if (ticket.subject.tenant.empty() && scope.tenants.size() == 1)
    ticket.subject.tenant = scope.tenants.front();
  return ticket.subject.issuer.empty() ? "--issuer is needed: the key does not bound it to one" : "";
}

/// Why a server with this key and audience would refuse a new token; empty: it would not.
std::string refusal_of(const std::string& token, const identity::Jwk& key, const identity::Ticket& ticket) {
  const auto keys = identity::KeySet::parse(identity::key_set_text(key));
  if (!keys.ok()) return keys.error().text;
  const identity::TicketRules rules{.audience = ticket.audience,
                                    .lifetime_max_s = ticket.expires_s - ticket.not_before_s};
  const auto verified = identity::TicketVerifier(*keys, rules).verify(token, ticket.not_before_s);
  return verified.ok() ? "" : identity::text_of(verified.error());
}

int issue(IssueOptions& options) {
  const auto key = read_ticket_key(options.key);
  if (!key.ok()) return fail_with(options.key, key.status().message());
  identity::Ticket& ticket = options.ticket;
  if (const std::string error = fill_in(key->scope, ticket); !error.empty()) {
    print_error(error);
    return kExitUsage;
  }
  if (ticket.ticket_id.empty()) {
    const auto id = identity::random_bytes(kNewTicketIdBytes);
    if (!id) return fail_with("the ticket", "there is no randomness for its id");
    ticket.ticket_id = identity::to_base64url(*id);
  }
  if (!options.match_id.empty()) ticket.match_id = options.match_id;
  ticket.not_before_s = std::time(nullptr);
  ticket.expires_s = ticket.not_before_s + *seconds_of(options.lifetime);
  const auto token = identity::issue(ticket, *key);
  if (!token) return fail_with("the ticket", "a text of it is not UTF-8");
  if (const std::string refusal = refusal_of(*token, *key, ticket); !refusal.empty()) {
    print_error("not issued, as no server would take it: " + refusal);
    return kExitFailed;
  }
  if (ticket.expires_s - ticket.not_before_s > identity::TicketRules().lifetime_max_s) {
    std::cerr << "sweepctl: servers take no lifetime above 24 h unless they are told to" << std::endl;
  }
  if (options.output.empty()) {
    std::cout << *token << std::endl;
    return kExitOk;
  }
  const Status status = replace_file(options.output, *token + "\n", kOwnerOnly);
  return status.ok() ? kExitOk : fail_with(options.output, status.message());
}

struct InspectOptions {
  std::string path = "-";
  std::string key_set;  ///< The file; empty: no verdict.
  std::string audience = "sweepd";
};

/// Standard input may be a socket, which has no path to be opened by.
Result<std::string> read_token(const std::string& path) {
  constexpr std::size_t kReadMax = identity::kTicketBytesMax + 1;  // With the end of its line.
  if (path != "-") return read_small_file(path, kReadMax);
  std::string bytes(kReadMax + 1, '\0');
  std::cin.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::cin.gcount()));
  return bytes;
}

int inspect(const InspectOptions& options) {
  auto token = read_token(options.path);
  if (!token.ok()) return fail_with(options.path, token.status().message());
  while (!token->empty() && token->back() == '\n') token->pop_back();
  std::string refusal;
  if (!options.key_set.empty()) {
    const auto text = read_small_file(options.key_set, identity::kKeySetBytesMax);
    if (!text.ok()) return fail_with(options.key_set, text.status().message());
    const auto keys = identity::KeySet::parse(*text);
    if (!keys.ok()) return fail_with(options.key_set, keys.error().text);
    const identity::TicketVerifier verifier(*keys, {.audience = options.audience});
    const auto ticket = verifier.verify(*token, std::time(nullptr));
    if (!ticket.ok()) refusal = identity::text_of(ticket.error());
  }
  const std::string verdict = options.key_set.empty() ? ""
                              : refusal.empty()       ? "accepted"
                                                      : "refused: " + refusal;
  const auto text = identity::token_text(*token, verdict);
  if (!text) return fail_with(options.path, "is no token" + (refusal.empty() ? "" : ": " + refusal));
  std::cout << *text << std::endl;
  return refusal.empty() ? kExitOk : kExitRefusedTicket;
}

void add_issue(CLI::App& tokens, Invocation& invocation) {
  const auto options = std::make_shared<IssueOptions>();
  identity::Ticket& ticket = options->ticket;
  ticket.audience = identity::TicketRules().audience;
  CLI::App* command = add_local_command(tokens, invocation, "issue", "Signs a ticket and prints it",
                                        "  sweepctl token issue --key backend-1.jwk --issuer game --sub "
                                        "lobby --role backend --create --output "
                                        "backend.token\n"
                                        "  sweepctl token issue --key backend-1.jwk --issuer game --sub ann "
                                        "--role player --match \"$match\" --lifetime 1h\n"
                                        "Exit codes: 0 done; 1 the key cannot be read, or a server with it "
                                        "would refuse the ticket; 2 wrong usage.");
  command->add_option("--key", options->key, "What sweepctl key new made")->type_name("FILE")->required();
  command->add_option("--sub", ticket.subject.name, "Who bears it")->type_name("NAME")->required();
  add_choice(*command, "--role", ticket.role, "operator|backend|moderator|stage|player|observer",
             {{"operator", identity::PrincipalKind::kOperator},
              {"backend", identity::PrincipalKind::kBackend},
              {"moderator", identity::PrincipalKind::kModerator},
              {"stage", identity::PrincipalKind::kStage},
              {"player", identity::PrincipalKind::kPlayer},
              {"observer", identity::PrincipalKind::kObserver}},
             "What it makes of its bearer (default: player)");
  command->add_option("--match", options->match_id, "The one match that it is good for")->type_name("MATCH");
  command->add_flag("--create", ticket.may_create, "Its bearer may create matches (backend, operator)");
  command
      ->add_option("--seat", ticket.seat_names,
                   "A seat that it may take; may be given several times (default: any one of its role)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      ->add_option("--tenant", ticket.subject.tenant,
                   "Whose matches it is about (default: the key's only one)")
      ->type_name("NAME");
  command->add_option("--issuer", ticket.subject.issuer, "Who issues it (default: the key's only one)")
      ->type_name("NAME");
  command->add_option("--audience", ticket.audience, "The servers that it is for")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--lifetime", options->lifetime, "How long it is good, from now on")
      ->type_name("TIME")
      ->check(CLI::Validator(check_lifetime, ""))
      ->capture_default_str();
  command->add_option("--id", ticket.ticket_id, "By which it can be revoked (default: a random one)")
      ->type_name("ID");
  command
      ->add_option("--output", options->output,
                   "A file of its owner's alone, for the ticket (default: it is printed)")
      ->type_name("FILE");
  command->callback([&invocation, options] { invocation.run = [options] { return issue(*options); }; });
}

}  // namespace

void add_token_commands(CLI::App& app, Invocation& invocation) {
  CLI::App* tokens = app.add_subcommand("token", "Issues tickets and looks into them");
  tokens->require_subcommand(1);
  tokens->footer(
      "Example:\n  sweepctl token issue --key backend-1.jwk --issuer game --sub ann --match \"$match\" | "
      "sweepctl token "
      "inspect --jwks keys.json");
  add_issue(*tokens, invocation);
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = add_local_command(
      *tokens, invocation, "inspect",
      "Prints what a ticket says as JSON, and with --jwks whether a server with these keys takes it now",
      "  sweepctl token inspect --jwks keys.json player.token\n"
      "Exit codes: 0 done, and with --jwks accepted; 1 a file cannot be read or is no token; 15 refused.");
  command->add_option("FILE", options->path, "The ticket (default: -, standard input)")
      ->capture_default_str();
  command->add_option("--jwks", options->key_set, "A server's keys")->type_name("FILE");
  command->add_option("--audience", options->audience, "The server's")
      ->type_name("NAME")
      ->capture_default_str();
  command->callback([&invocation, options] { invocation.run = [options] { return inspect(*options); }; });
}

}  // namespace sweepd::tools
