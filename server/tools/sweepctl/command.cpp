// SPDX-License-Identifier: MIT
#include "tools/sweepctl/command.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string_view>

#include "tools/sweepctl/match_file_words.h"
#include "tools/sweepctl/match_text.h"

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
  command->fallthrough();  // How to talk to the server is said anywhere.
  return command;
}

CLI::App* add_local_command(CLI::App& app, Invocation& invocation, const std::string& name,
                            const std::string& description, const std::string& example) {
  CLI::App* command = named_command(app, name, description, example);
  add_server_options(*command, invocation.choice);
  command->preparse_callback([&invocation](std::size_t) { invocation.asks_no_server = true; });
  return command;
}

void add_server_options(CLI::App& command, ContextChoice& choice) {
  command.add_option("--server", choice.server, "The server (or SWEEPD_SERVER in the environment)")
      ->type_name("HOST:PORT")
      ->default_str(kDefaultServer);
  command.add_option("--context", choice.context, "The server, by its name (see sweepctl context)")
      ->type_name("NAME");
}

void refuse_empty_values(CLI::App& app) {
  const CLI::Validator is_there(
      [](const std::string& value) { return value.empty() ? std::string("is empty") : std::string(); }, "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) option->check(is_there);
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) refuse_empty_values(*command);
}

bool choose_server(Invocation& invocation) {
  const char* environment = std::getenv("SWEEPD_SERVER");
  invocation.choice.environment = environment != nullptr ? environment : "";
  const auto chosen = choose_context(invocation.choice, contexts_path());
  if (!chosen.ok()) {
    print_error(chosen.status().message());
    return false;
  }
  invocation.server.take(*chosen);
  return true;
}

void add_security_options(CLI::App& app, ServerChoice& server) {
  const auto add_file = [&app, &server](const char* name, std::string& path, const char* what) {
    return app
        .add_option_function<std::string>(
            name,
            [&path, &server, is_tls = std::string_view(name) != "--token-file"](const std::string& file) {
              path = file;
              server.tls = server.tls || is_tls;
            },
            what)
        ->type_name("FILE")
        ->check(CLI::ExistingFile.description(""))
        ->group("Security");
  };
  app.add_flag("--tls", server.tls, "Talk TLS, and check the server's certificate by the system's issuers")
      ->group("Security");
  add_file("--ca", server.ca_file, "The same, by the issuers in this file (PEM)");
  CLI::Option* certificate =
      add_file("--cert", server.certificate_file, "The client's own certificate (PEM); TLS, too");
  CLI::Option* key = add_file("--key", server.key_file, "Its key (PEM)");
  certificate->needs(key);
  key->needs(certificate);
  add_file("--token-file", server.token_file,
           "A token in this file is sent with every call; in plain text to this machine only");
}

std::optional<std::int64_t> seconds_of(const std::string& text) {
  const std::string digits = text.substr(0, text.find_first_not_of("0123456789"));
  if (digits.empty() || digits.size() > 8 || text.size() != digits.size() + 1) return std::nullopt;
  const std::int64_t unit = text.back() == 's'   ? 1
                            : text.back() == 'm' ? 60
                            : text.back() == 'h' ? 60 * 60
                            : text.back() == 'd' ? 24 * 60 * 60
                                                 : 0;
  const std::int64_t seconds = std::stoll(digits) * unit;
  if (seconds == 0) return std::nullopt;
  return seconds;
}

std::string check_lifetime(const std::string& text) {
  return seconds_of(text) ? "" : "'" + text + "' is no time such as 90s, 15m, 1h or 7d";
}

CLI::Validator one_of(const std::string& names) {
  const auto check = [names](const std::string& word) {
    const bool known = !word.empty() && ("|" + names + "|").find("|" + word + "|") != std::string::npos;
    return known ? std::string() : "'" + word + "' is not " + names;
  };
  return CLI::Validator(check, "");
}

void add_broadphase_options(CLI::App& command, BroadphaseKind& kind, SectorGrid& grid) {
  std::map<std::string, BroadphaseKind> kinds;
  std::string names;
  for (const auto& known : words_of(BroadphaseKind{})) {
    kinds.emplace(broadphase_name(known.value), known.value);
    names += (names.empty() ? "" : "|") + std::string(broadphase_name(known.value));
  }
  add_choice(command, "--broadphase", kind, names, kinds,
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

void print_error(const std::string& message) {
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::cerr << "sweepctl: " << line << std::endl;
}

int fail_with(const std::string& name, const std::string& what) {
  print_error(name + ": " + what);
  return kExitFailed;
}

int fail(const Status& status, const ServerChoice& choice) {
  const std::string& server = choice.address;
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
