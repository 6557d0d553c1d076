// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sweepd/client.h"
#include "tools/sweepctl/contexts.h"
#include "tools/sweepctl/server_choice.h"

namespace sweepd::tools {

/// Of a file with a key or a certificate.
inline constexpr std::size_t kPemBytesMax = 64 * 1024;

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitBadSignature = 14;
inline constexpr int kExitRefusedTicket = 15;
inline constexpr int kExitInterrupted = 130;

/// What the command line asked for: it is run once the whole line has been understood.
struct Invocation {
  ContextChoice choice;         ///< As the command line has it.
  bool asks_no_server = false;  ///< So nothing is wrong where the server cannot be told.
  ServerChoice server;          ///< What `choice` comes to, with what the other options say.
  std::function<int()> run;
};

/// Of `app` and all its commands: an option that is given with an empty text is wrong usage. Else it would be
/// as if it were not given, and the check that it asks for would not be made.
void refuse_empty_values(CLI::App& app);

/// --tls, --ca, --cert, --key, --token-file.
void add_security_options(CLI::App& app, ServerChoice& server);

/// Adds a subcommand whose `--help` ends with an example; it takes --server, too, so that it may stand
/// anywhere, as may what it falls through to.
CLI::App* add_command(CLI::App& app, Invocation& invocation, const std::string& name,
                      const std::string& description, const std::string& example);

/// The same for a command that asks no server.
CLI::App* add_local_command(CLI::App& app, Invocation& invocation, const std::string& name,
                            const std::string& description, const std::string& example);

/// --server and --context of `command`.
void add_server_options(CLI::App& command, ContextChoice& choice);

/// Finds the server that is meant, and what belongs to it. False, and a line on stderr: it cannot be told.
bool choose_server(Invocation& invocation);

/// "90s", "15m", "1h", "7d".
std::optional<std::int64_t> seconds_of(const std::string& text);
/// Empty: it is such a time.
std::string check_lifetime(const std::string& text);

/// A check that the value is one of `names` ("realtime|manual"), and says so if not.
CLI::Validator one_of(const std::string& names);

/// An option whose value is one of several words.
template <typename Enum>
void add_choice(CLI::App& command, const std::string& name, Enum& value, const std::string& names,
                const std::map<std::string, Enum>& values, const std::string& description) {
  command
      .add_option_function<std::string>(
          name, [&value, values](const std::string& word) { value = values.at(word); }, description)
      ->type_name(names)
      ->check(one_of(names));
}

/// --broadphase, and the settings of those that have any.
void add_broadphase_options(CLI::App& command, BroadphaseKind& kind, SectorGrid& grid);

void add_create_command(CLI::App& app, Invocation& invocation);
/// A match file, without a server.
void add_check_command(CLI::App& app, Invocation& invocation);
void add_ls_command(CLI::App& app, Invocation& invocation);
/// world, encounters, region, ray.
void add_query_commands(CLI::App& app, Invocation& invocation);
void add_watch_command(CLI::App& app, Invocation& invocation);
void add_end_command(CLI::App& app, Invocation& invocation);
/// pause, resume, rate.
void add_clock_commands(CLI::App& app, Invocation& invocation);
/// Many matches at once, and what they cost.
void add_load_command(CLI::App& app, Invocation& invocation);
/// kick, ban, unban, bans, log-level, reload-keys.
void add_admin_commands(CLI::App& app, Invocation& invocation);
/// set, list, use.
void add_context_commands(CLI::App& app, Invocation& invocation);
/// new, public: keys that sign tickets.
void add_key_commands(CLI::App& app, Invocation& invocation);
/// issue, inspect: tickets.
void add_token_commands(CLI::App& app, Invocation& invocation);
void add_play_command(CLI::App& app, Invocation& invocation);
/// Files, without a server. `name`: with which it is called, for its example.
void add_verify_command(CLI::App& app, Invocation& invocation, const std::string& name);
/// verify; replay info, verify, cut, diff: of files, without a server; and those below.
void add_replay_commands(CLI::App& app, Invocation& invocation);
/// replay world, encounters, events, claims, scores: of a tick of a file.
void add_replay_moment_commands(CLI::App& replay, Invocation& invocation);
/// replay show, bundle, check-bundle.
void add_replay_dispute_commands(CLI::App& replay, Invocation& invocation);
/// replay hold, release, delete: on a server, by its admin listener.
void add_replay_admin_commands(CLI::App& replay, Invocation& invocation);
/// replay get, receipt, key: from a server; check-receipt.
void add_replay_server_commands(CLI::App& replay, Invocation& invocation);

/// One line on stderr, beginning with "sweepctl: ".
void print_error(const std::string& message);
/// The same of a file or another thing with a name; yields kExitFailed.
int fail_with(const std::string& name, const std::string& what);
/// The same for a failed call to a server; yields kExitFailed.
int fail(const Status& status, const ServerChoice& server);

}  // namespace sweepd::tools
