// SPDX-License-Identifier: MIT
#include "tools/sweepctl/command.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace sweepd::tools {
namespace {

CLI::App* named_command(CLI::App& app, const std::string& name, const std::string& description,
                        const std::string& example) {
  CLI::App* command = app.add_subcommand(name, description);
  command->footer("Example:\n" + example);
  return command;
}

}  // namespace

CLI::App* add_command(CLI::App& app, Invocation& invocation, const std::string& name,
                      const std::string& description, const std::string& example) {
  CLI::App* command = named_command(app, name, description, example);
  add_server_options(*command, invocation.choice);
  return command;
}

CLI::App* add_local_command(CLI::App& app, Invocation& invocation, const std::string& name,
                            const std::string& description, const std::string& example) {
  CLI::App* command = named_command(app, name, description, example);
  add_server_options(*command, invocation.choice);
  command->preparse_callback([&invocation](std::size_t) { invocation.asks_no_server = true; });
  return command;
}

void add_server_options(CLI::App& command, ServerChoice& choice) {
  command.add_option("--server", choice.server, "The server (or SWEEPD_SERVER in the environment)")
      ->type_name("HOST:PORT")
      ->default_str(kDefaultServer);
  command.add_option("--context", choice.context, "The server, by its name (see sweepctl context)")
      ->type_name("NAME");
}

bool choose_server(Invocation& invocation) {
  const char* environment = std::getenv("SWEEPD_SERVER");
  invocation.choice.environment = environment != nullptr ? environment : "";
  const auto chosen = choose_context(invocation.choice, contexts_path());
  if (!chosen.ok()) {
    print_error(chosen.status().message());
    return false;
  }
  invocation.context = *chosen;
  invocation.server = chosen->server;
  return true;
}

CLI::Validator one_of(const std::string& names) {
  const auto check = [names](const std::string& word) {
    const bool known = !word.empty() && ("|" + names + "|").find("|" + word + "|") != std::string::npos;
    return known ? std::string() : "'" + word + "' is not " + names;
  };
  return CLI::Validator(check, "");
}

void add_broadphase_options(CLI::App& command, BroadphaseKind& kind, SectorGrid& grid) {
  add_choice(command, "--broadphase", kind, "sap|grid|approach|brute",
             {{"sap", BroadphaseKind::kSweepAndPrune},
              {"grid", BroadphaseKind::kSectorGrid},
              {"approach", BroadphaseKind::kApproach},
              {"brute", BroadphaseKind::kBruteForce}},
             "How overlaps are found; the result is the same (default: sap)");
  add_choice(command, "--sectors", grid.scheme, "four-shifts|plain|rows|columns",
             {{"four-shifts", SectorScheme::kFourShifts},
              {"plain", SectorScheme::kPlain},
              {"rows", SectorScheme::kHorizontalStrips},
              {"columns", SectorScheme::kVerticalStrips}},
             "How the broadphase grid divides the plane (default: four-shifts)");
  command
      .add_option("--sector-size", grid.sector_size,
                  "Edge of its sectors in units, 1 to 4194304 (default: the server finds it)")
      ->type_name("UNITS")
      ->check(CLI::Range(1.0, 4194304.0).description(""));
}

Client make_client(const std::string& server) {
  ClientOptions options;
  options.server = server;
  return Client(options);
}

void print_error(const std::string& message) {
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::cerr << "sweepctl: " << line << std::endl;
}

int fail_with(const std::string& name, const std::string& what) {
  print_error(name + ": " + what);
  return kExitFailed;
}

int fail(const Status& status, const std::string& server) {
  std::string message = status.message();
  const bool unreachable =
      status.code() == ErrorCode::kUnavailable || status.code() == ErrorCode::kDeadlineExceeded;
  if (unreachable && message.find(server) == std::string::npos) message = "server " + server + ": " + message;
  if (!status.reason().empty() && message.find(status.reason()) == std::string::npos) {
    message += " (" + status.reason() + ")";
  }
  print_error(message);
  return kExitFailed;
}

}  // namespace sweepd::tools
