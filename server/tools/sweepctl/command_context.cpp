// SPDX-License-Identifier: MIT
#include <iostream>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/contexts.h"

namespace sweepd::tools {
namespace {

/// Says what went wrong, if anything did.
int told(const Status& status) {
  if (status.ok()) return kExitOk;
  print_error(status.message());
  return kExitFailed;
}

/// Changes only what is given. Paths become absolute, as later commands run in other folders.
void take_given(const Context& given, Context& context) {
  if (!given.server.empty()) context.server = given.server;
  if (!given.admin.empty()) context.admin = given.admin;
  context.tls = context.tls || given.tls;
  for (const auto file :
       {&Context::ca_file, &Context::certificate_file, &Context::key_file, &Context::token_file}) {
    if (!(given.*file).empty()) context.*file = std::filesystem::absolute(given.*file).string();
  }
}

int set_context(const Context& given) {
  if (!is_context_name(given.name)) {
    print_error("'" + given.name + "' is no name of a context; it has 1 to 64 letters, digits, - and _");
    return kExitUsage;
  }
  auto contexts = read_contexts(contexts_path());
  if (!contexts.ok()) return told(contexts.status());
  if (contexts->find(given.name) == nullptr) {
    if (given.server.empty()) {
      print_error("a new context needs --server");
      return kExitUsage;
    }
    contexts->all.push_back({.name = given.name});
  }
  for (Context& context : contexts->all) {
    if (context.name == given.name) take_given(given, context);
  }
  return told(write_contexts(contexts_path(), *contexts));
}

int list_contexts() {
  const auto contexts = read_contexts(contexts_path());
  if (!contexts.ok()) return told(contexts.status());
  for (const Context& context : contexts->all) {
    std::cout << (context.name == contexts->current ? "* " : "  ") << context.name << "  " << context.server
              << (context.ca_file.empty() ? "" : "  ca " + context.ca_file)
              << (context.certificate_file.empty() ? "" : "  cert " + context.certificate_file)
              << (context.token_file.empty() ? "" : "  token " + context.token_file)
              << (context.admin.empty() ? "" : "  admin " + context.admin) << "\n";
  }
  std::cout << std::flush;
  return kExitOk;
}

int use_context(const std::string& name) {
  auto contexts = read_contexts(contexts_path());
  if (!contexts.ok()) return told(contexts.status());
  if (contexts->find(name) == nullptr) {
    return told(
        Status(ErrorCode::kNotFound, "there is no context '" + name + "' in " + contexts_path().string()));
  }
  contexts->current = name;
  return told(write_contexts(contexts_path(), *contexts));
}

void add_set(CLI::App& contexts, Invocation& invocation) {
  const auto given = std::make_shared<Context>();
  CLI::App* command = add_local_command(
      contexts, invocation, "set",
      "Makes a context, or changes what is given here of one; the files stay where they are",
      "  sweepctl context set prod --server game.example:7777 --ca ca.pem --token-file ~/prod.token");
  command->add_option("NAME", given->name, "Letters, digits, - and _")->required();
  command->add_flag("--tls", given->tls,
                    "Talk TLS, and check the server's certificate by the system's issuers");
  command->add_option("--ca", given->ca_file, "Certificates (PEM) that the server's has to be of")
      ->type_name("FILE");
  command->add_option("--cert", given->certificate_file, "Own certificate (PEM)")->type_name("FILE");
  command->add_option("--key", given->key_file, "Its private key (PEM)")->type_name("FILE");
  command->add_option("--token-file", given->token_file, "What sweepctl token issue printed")
      ->type_name("FILE");
  command->add_option("--admin", given->admin, "Its admin listener, for sweepctl admin")
      ->type_name("unix:PATH|HOST:PORT");
  command->callback([&invocation, given] {
    invocation.run = [&invocation, given] {
      given->server = invocation.choice.server;
      return set_context(*given);
    };
  });
}

}  // namespace

void add_context_commands(CLI::App& app, Invocation& invocation) {
  CLI::App* contexts = app.add_subcommand(
      "context", "Names for servers, in ~/.config/sweepd/contexts.toml (or below $XDG_CONFIG_HOME)");
  contexts->require_subcommand(1);
  contexts->footer(
      "Example:\n  sweepctl context set prod --server game.example:7777 && sweepctl --context prod ls\n"
      "What a command means: --server, or else --context, SWEEPD_SERVER, the context in use, "
      "127.0.0.1:7777.\n"
      "Files of a context (ca, cert, key, token_file) go with its own server, and with another only where "
      "both "
      "--context and "
      "--server are given.");
  add_set(*contexts, invocation);
  add_local_command(*contexts, invocation, "list", "Prints the contexts; * is before the one in use",
                    "  sweepctl context list")
      ->callback([&invocation] { invocation.run = [] { return list_contexts(); }; });
  const auto name = std::make_shared<std::string>();
  CLI::App* command =
      add_local_command(*contexts, invocation, "use", "Makes a context the one that commands mean",
                        "  sweepctl context use prod");
  command->add_option("NAME", *name, "Of a context")->required();
  command->callback([&invocation, name] { invocation.run = [name] { return use_context(*name); }; });
}

}  // namespace sweepd::tools
