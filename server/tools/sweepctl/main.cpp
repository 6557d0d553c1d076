// SPDX-License-Identifier: MIT
//
// sweepctl: the tool for people and scripts that run a sweepd server. It talks to it through the client SDK
// alone.
#include "tools/sweepctl/command.h"

#include <exception>
#include <iostream>
#include <span>

#include "tools/sweepctl/visible_output.h"
#include "verification/verification_child.h"

namespace {

int run(int argc, char** argv) {
  using namespace sweepd::tools;
  CLI::App app(
      "Creates, lists, watches, controls, ends and plays matches on a sweepd server; verifies replays; "
      "issues tickets.",
      "sweepctl");
  Invocation invocation;
  add_server_options(app, invocation.choice);
  add_security_options(app, invocation.server);
  app.set_version_flag("--version", "sweepctl " SWEEPD_VERSION);
  app.footer(
      "Example:\n  match=$(sweepctl create --name 'stage 1') && sweepctl watch \"$match\"\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted; of verify, replay diff and token see "
      "there.");
  app.require_subcommand(1);
  add_create_command(app, invocation);
  add_check_command(app, invocation);
  add_ls_command(app, invocation);
  add_query_commands(app, invocation);
  add_watch_command(app, invocation);
  add_end_command(app, invocation);
  add_clock_commands(app, invocation);
  add_load_command(app, invocation);
  add_play_command(app, invocation);
  add_replay_commands(app, invocation);
  add_key_commands(app, invocation);
  add_token_commands(app, invocation);
  add_admin_commands(app, invocation);
  add_context_commands(app, invocation);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    print_error(std::string(error.what()) + " (see sweepctl --help)");
    return kExitUsage;
  }
  if (!invocation.asks_no_server && !choose_server(invocation)) return kExitFailed;
  return invocation.run();
}

}  // namespace

int main(int argc, char** argv) {
  // Not an option: how it starts the verifiers of files.
  const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
  if (sweepd::verification::is_verifier(arguments)) sweepd::verification::be_verifier(arguments);
  const sweepd::tools::VisibleOutput visible_output;
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    sweepd::tools::print_error(error.what());
    return sweepd::tools::kExitFailed;
  }
}
