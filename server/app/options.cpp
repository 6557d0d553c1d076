// SPDX-License-Identifier: MIT
#include "app/options.h"

#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/budget_options.h"
#include "app/quota_options.h"
#include "app/ticket_options.h"

namespace sweepd::app {
namespace {

constexpr int kUsageError = 2;
constexpr std::size_t kLoopsMax = 256;
constexpr std::size_t kMatchesMost = 1'000'000;

/// That this process may use: a machine may have more, of which others have been given some.
std::size_t cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool is_known = sched_getaffinity(0, sizeof set, &set) == 0;  // Not on machines of more than 1024.
  const int count = is_known ? CPU_COUNT(&set) : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(count, 0)), 1, kLoopsMax);
}

struct Text {
  std::string listen = "127.0.0.1:7777";
  std::string advertise;
  bool has_no_loop_ports = false;
  std::string http_listen;
  std::string ws_listen;
  std::string admin_listen;
  std::int64_t idle_match_timeout_s = 300;
  std::uint32_t loop_lateness_max_ms = 8;
  std::uint32_t match_cpu_time_max_s = 10;
  std::uint32_t move_matches_every_ms = 0;
  std::string data_directory;
  std::string signing_key;
  std::uint32_t journal_flush_ms = 20;
  std::string journal_sync = "full";
  std::uint32_t journal_queue_mib = 64;
  std::uint64_t journal_match_kib_per_s = 4096;
  std::uint64_t journal_address_kib_per_s = 16'384;
  bool accepts_missing_journal = false;
  std::uint64_t replay_age_max_h = 0;
  std::uint64_t replay_bytes_max_mib = 10'240;
  std::uint64_t message_mib_per_client_max = 32;
  std::uint64_t memory_max_mib = 0;
  std::vector<std::string> fronts;
  std::uint32_t port_watchdog_ms = 5000;
  std::string log_level = "info";
  std::string log_format = "text";
};

/// Without a data directory there is nothing that they could say.
void describe_storage(CLI::App& app, Text& text) {
  CLI::Option* directory =
      app.add_option("--data-dir", text.data_directory,
                     "Keep matches, replays and the signing key here: matches survive crashes and restarts. "
                     "Without it they end with the server")
          ->type_name("DIR");
  app.add_option("--signing-key", text.signing_key,
                 "Private key (Ed25519, PEM) of receipts (default: made in the data directory)")
      ->type_name("FILE")
      ->needs(directory);
  app.add_option("--journal-flush-ms", text.journal_flush_ms,
                 "How long the log of a tick waits for others to be written with")
      ->check(CLI::Range(1, 1000))
      ->type_name("MS")
      ->capture_default_str()
      ->needs(directory);
  app.add_option("--journal-sync", text.journal_sync,
                 "What a durable tick survives: full, a power cut; process, a crash of the server")
      ->check(CLI::IsMember({"full", "process"}))
      ->capture_default_str()
      ->needs(directory);
  app.add_option("--journal-queue-mib", text.journal_queue_mib,
                 "How much may wait for a disk that takes nothing; then logs have holes")
      ->check(CLI::Range(1, 65'536))
      ->type_name("MIB")
      ->capture_default_str()
      ->needs(directory);
  app.add_option("--journal-match-kib-per-s", text.journal_match_kib_per_s,
                 "How much of one match may be written, four seconds' worth at once; what comes beyond is "
                 "refused (TOO_MANY_BYTES), or steps wait; 0: no limit")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 30))
      ->type_name("KIB")
      ->capture_default_str()
      ->needs(directory);
  app.add_option("--journal-address-kib-per-s", text.journal_address_kib_per_s,
                 "The same of all that one client address sends, in all matches; 0: no limit")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 30))
      ->type_name("KIB")
      ->capture_default_str()
      ->needs(directory);
  app.add_flag("--accept-missing-journal", text.accepts_missing_journal,
               "Begin an empty journal where the data directory shows that there was one and it is gone; "
               "without it the server does not start then")
      ->needs(directory);
  app.add_option("--replay-age-max-h", text.replay_age_max_h,
                 "Remove replays of matches that ended so long ago; 0: whatever their age")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000}))
      ->type_name("HOURS")
      ->capture_default_str()
      ->needs(directory);
  app.add_option("--replay-bytes-max-mib", text.replay_bytes_max_mib,
                 "Remove the oldest replays beyond so much in all")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->type_name("MIB")
      ->capture_default_str()
      ->needs(directory);
}

std::optional<runtime::StorageOptions> storage_options(const Text& text,
                                                       const runtime::ClientLimits& clients) {
  if (text.data_directory.empty()) return std::nullopt;
  runtime::StorageOptions storage;
  storage.directory = text.data_directory;
  storage.signing_key = text.signing_key;
  storage.journal_flush = std::chrono::milliseconds(text.journal_flush_ms);
  storage.journal_queue_bytes_max = text.journal_queue_mib * kMebibyte;
  storage.journal_sync =
      text.journal_sync == "full" ? runtime::JournalSync::kFull : runtime::JournalSync::kProcess;
  storage.match_bytes_per_second = text.journal_match_kib_per_s << 10;
  storage.accepts_missing_journal = text.accepts_missing_journal;
  if (text.replay_age_max_h != 0)
    storage.replay_limits.replay_age_max = std::chrono::hours(text.replay_age_max_h);
  for (const runtime::KeyKind kind : runtime::kAllKeyKinds) {
    const auto& quota = clients.quotas[runtime::index_of(runtime::Resource::kReplayBytes)][kind];
    storage.replay_limits.bytes_of_key[kind] = quota.value_or(0);
  }
  storage.replay_limits.replay_bytes_max = text.replay_bytes_max_mib * kMebibyte;
  return storage;
}

/// When the server takes no further REALTIME and LOCKSTEP matches, and what becomes of time that it has lost.
void describe_load(CLI::App& app, runtime::LoopOptions& loop, Text& text) {
  app.add_option(
         "--loop-busy-max-percent", loop.load_limits.busy_percent_max,
         "A loop that is busy more of the time, for three seconds in a row, gets no further REALTIME and "
         "LOCKSTEP matches; where all are, or stand still, CreateMatch refuses those; 100: never by that")
      ->check(CLI::Range(1, 100))
      ->type_name("PERCENT")
      ->capture_default_str();
  app.add_option(
         "--loop-lateness-max-ms", text.loop_lateness_max_ms,
         "The same for a loop whose ticks begin later than this (p99) after they are due; 0: never by that")
      ->check(CLI::Range(0, 10'000))
      ->type_name("MS")
      ->capture_default_str();
  app.add_option(
         "--match-cpu-percent-max", loop.load_limits.match_percent_max,
         "A match that takes more of an overloaded loop for --match-cpu-time-max-s ends; 100: none does")
      ->check(CLI::Range(1, 100))
      ->type_name("PERCENT")
      ->capture_default_str();
  app.add_option("--match-cpu-time-max-s", text.match_cpu_time_max_s, "How long a match may take that much")
      ->check(CLI::Range(1, 3600))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option(
         "--catch-up-ticks-max", loop.catch_up_ticks_max,
         "Ticks that a match runs at once, beside the one that is due, to make up for time in which the "
         "server stood still; further ones are skipped, and counted")
      ->check(CLI::Range(0, static_cast<int>(runtime::kCatchUpTicksMaxMax)))
      ->type_name("N")
      ->capture_default_str();
}

/// What clients may take: of the process, of memory, of each other.
void describe_client_limits(CLI::App& app, ServerOptions& server, Text& text) {
  runtime::ClientLimits& limits = server.clients;
  const auto add_count = [&app](const char* name, std::size_t& count, const char* what) {
    return app.add_option(name, count, what)->check(CLI::Range(std::size_t{1}, kMatchesMost))->type_name("N");
  };
  constexpr const char* kQuarter = "a quarter of all, but 256 where so many may be";
  add_count("--connections-max", limits.connections_max, "Connections at once")
      ->default_str("what the limit of open files leaves; never more");
  add_count("--connections-per-client-max", limits.connections_per_client_max,
            "The same of one client: one address, of IPv6 its first 64 bits")
      ->default_str(kQuarter);
  add_count("--streams-per-client-max", limits.streams_per_client_max, "Streams of one client at once")
      ->default_str(kQuarter);
  add_count("--matches-per-client-max", limits.matches_per_client_max,
            "Matches that one client has created and that run")
      ->default_str(kQuarter);
  add_count("--calls-max", limits.calls_max, "Calls with one answer under way at once")
      ->capture_default_str();
  add_count("--calls-per-client-max", limits.calls_per_client_max, "The same of one client")
      ->default_str(kQuarter);
  add_count("--streams-per-connection-max", limits.streams_per_connection_max,
            "Calls and streams of one connection at once; clients hold further ones back")
      ->capture_default_str();
  app.add_option("--message-mib-per-client-max", text.message_mib_per_client_max,
                 "Memory of one client's large requests and of answers that it has not taken")
      ->check(CLI::Range(1, 65'536))
      ->type_name("MIB")
      ->capture_default_str();
  app.add_option(
         "--memory-max-mib", text.memory_max_mib,
         "Ceiling of the process's memory: from nine tenths of it on new work is refused, near it the "
         "connections that send most and no whole message are ended")
      ->check(CLI::Range(runtime::kMemoryMaxLeast / kMebibyte, std::uint64_t{1} << 24))
      ->type_name("MIB")
      ->default_str("three quarters of the machine's, or of the control group's; what ulimit -v leaves");
  app.add_option("--trust-front", text.fronts,
                 "Address or range of a front that connects for clients and says for which, in the PROXY "
                 "protocol, version 2; from any other address that is refused. May be given again")
      ->check([](const std::string& value) {
        return runtime::AddressRange::parse(value) ? std::string()
                                                   : "\"" + value + "\" is not ADDRESS or ADDRESS/BITS";
      })
      ->type_name("ADDRESS[/BITS]");
  // In no help: for tests, of what the watchdog finds.
  app.add_option("--port-watchdog-ms", text.port_watchdog_ms)->check(CLI::Range(1, 60'000))->group("");
}

void take_budgets(const Text& text, ServerOptions& server) {
  server.clients.journal_bytes_per_second = text.journal_address_kib_per_s << 10;
  server.clients.bytes_per_client_max = text.message_mib_per_client_max * kMebibyte;
  server.clients.memory_max = text.memory_max_mib * kMebibyte;
  for (const std::string& front : text.fronts) server.fronts.push_back(*runtime::AddressRange::parse(front));
  server.port_watchdog.period = std::chrono::milliseconds(text.port_watchdog_ms);
}

void describe_log(CLI::App& app, Text& text) {
  app.add_option(
         "--log-level", text.log_level,
         "How much to log to stderr; changed while the server runs by SIGUSR1 (more), SIGUSR2 (less), or "
         "PUT /log-level?level=… at --http-listen on loopback without --ticket-keys, or sweepctl admin "
         "log-level")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "warn", "error", "off"}))
      ->capture_default_str();
  app.add_option("--log-format", text.log_format,
                 "text, for people; json, for machines: an object in each line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

std::string find_fault_of_address(const std::string& value) {
  return session::ListenAddress::parse(value) ? std::string() : "\"" + value + "\" is not HOST:PORT";
}

constexpr std::string_view kUnixPrefix = "unix:";
constexpr const char* kNoAdmin = "none";

std::string find_fault_of_admin_address(const std::string& value) {
  const bool is_socket = value.starts_with(kUnixPrefix) && value.size() > kUnixPrefix.size();
  if (is_socket || value == kNoAdmin || session::ListenAddress::parse(value)) return {};
  return "\"" + value + "\" is not unix:PATH, HOST:PORT or none";
}

AdminOptions admin_options(const Text& text) {
  if (text.admin_listen == kNoAdmin) return {};
  if (text.admin_listen.starts_with(kUnixPrefix))
    return {.socket = text.admin_listen.substr(kUnixPrefix.size())};
  if (!text.admin_listen.empty()) return {.address = session::ListenAddress::parse(text.admin_listen)};
  if (text.data_directory.empty()) return {};
  return {.socket = std::filesystem::path(text.data_directory) / "admin.sock", .is_by_default = true};
}

void describe_admin(CLI::App& app, Text& text) {
  app.add_option(
         "--admin-listen", text.admin_listen,
         "Where operators come in: who may open the unix socket is one; over TCP they need their ticket, "
         "or, without --ticket-keys, a certificate of --tls-client-ca; none: nowhere")
      ->check(find_fault_of_admin_address)
      ->type_name("unix:PATH|HOST:PORT|none")
      ->default_str("unix:DIR/admin.sock of --data-dir; without it none");
}

std::string find_fault_of_public_address(const std::string& value) {
  const auto address = session::ListenAddress::parse(value);
  return address && address->port != 0 ? std::string()
                                       : "\"" + value + "\" is not HOST:PORT with a port of 1 to 65535";
}

/// An origin as browsers write it: no path, no capital letters.
std::string find_fault_of_origin(const std::string& value) {
  const std::size_t scheme_end = value.find("://");
  const bool is_whole = scheme_end != std::string::npos && scheme_end > 0 && scheme_end + 3 < value.size() &&
                        value.find('/', scheme_end + 3) == std::string::npos;
  if (value == "*" || is_whole) return {};
  return "\"" + value + "\" is not SCHEME://HOST[:PORT], or *";
}

/// The second door.
void describe_web_socket(CLI::App& app, Options& options, Text& text) {
  CLI::Option* listen =
      app.add_option("--ws-listen", text.ws_listen,
                     "Where players and browsers connect by WebSocket: /sweepd.v1.MatchService/Play, Watch, "
                     "/sweepd.v1.ReplayService/GetReplay, VerifyReplay; port 0: any free one")
          ->check(find_fault_of_address)
          ->type_name("HOST:PORT")
          ->default_str("nowhere");
  app.add_option(
         "--ws-origin", options.ws_origins,
         "Origin of pages whose browsers may connect there, or * for any; clients that are no browsers "
         "may in any case. May be given again")
      ->check(find_fault_of_origin)
      ->needs(listen)
      ->type_name("ORIGIN")
      ->default_str("none");
  app.add_option("--ws-port-file", options.ws_port_file,
                 "File to write the port of --ws-listen to as soon as it is open")
      ->needs(listen)
      ->type_name("PATH");
}

/// Where clients are told that matches are.
void describe_endpoints(CLI::App& app, ServerOptions& server, Text& text) {
  CLI::Option* base =
      app.add_option("--loop-port-base", server.loop_port_base,
                     "With two loops or more, loop i also listens on this port + i, and clients are told so: "
                     "behind a port mapping these are mapped to the same numbers")
          ->check(CLI::Range(1, static_cast<int>(std::numeric_limits<std::uint16_t>::max())))
          ->type_name("PORT")
          ->default_str("any free ones");
  app.add_flag("--no-loop-ports", text.has_no_loop_ports,
               "Loops have no ports of their own: one public port is enough, also behind a port mapping")
      ->excludes(base);
  CLI::Option* host = app.add_option("--advertise-host", server.advertised.host,
                                     "Host in the endpoints of matches, where clients reach it under another "
                                     "than the one they know; ports are told as they are")
                          ->type_name("HOST");
  app.add_option(
         "--advertise", text.advertise,
         "Public address of the server, told to clients instead of the one it listens on; with "
         "--loop-port-base loops are told as HOST and their ports, without it there are no loop ports")
      ->check(find_fault_of_public_address)
      ->type_name("HOST:PORT")
      ->excludes(host);
}

void describe_rules(CLI::App& app, ServerOptions& server) {
  CLI::Option* folder =
      app.add_option(
             "--rules-dir", server.rules_folder,
             "Folder of approved rules, NAME.rules each, as sweepctl check --compile writes them: matches "
             "are created by such a name, and carry it in their receipts")
          ->type_name("FOLDER")
          ->default_str("none");
  app.add_option_function<std::string>(
         "--unranked", [&server](const std::string& word) { server.refuses_unranked = word == "refuse"; },
         "Of matches with other rules: mark them UNRANKED, or refuse them")
      ->check(CLI::IsMember({"mark", "refuse"}))
      ->needs(folder)
      ->default_str("mark");
}

void describe(CLI::App& app, Options& options, Text& text) {
  ServerOptions& server = options.server;
  const auto is_address = find_fault_of_address;
  app.add_option("--listen", text.listen, "Where clients connect; port 0: any free one")
      ->check(is_address)
      ->type_name("HOST:PORT")
      ->capture_default_str();
  app.add_option("--loops", server.loops, "Event loops, each a thread with matches of its own")
      ->check(CLI::Range(std::size_t{1}, kLoopsMax))
      ->type_name("N")
      ->default_str("one for each core that it may use");
  describe_endpoints(app, server, text);
  app.add_option("--matches-max", server.matches_max, "Matches at once")
      ->check(CLI::Range(std::size_t{1}, kMatchesMost))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--streams-max", server.streams_max, "Streams at once")
      ->check(CLI::Range(std::size_t{1}, kMatchesMost))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--idle-match-timeout-s", text.idle_match_timeout_s,
                 "A match that has had no subscriber for so long ends")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400}))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option(
         "--http-listen", text.http_listen,
         "Where to show metrics and health by HTTP, to all clients: /metrics, /livez, /readyz, /healthz, "
         "/log-level; port 0: any free one")
      ->check(is_address)
      ->type_name("HOST:PORT")
      ->default_str("nowhere");
  app.add_option("--http-port-file", options.http_port_file,
                 "File to write the port of --http-listen to as soon as it is open")
      ->needs("--http-listen")
      ->type_name("PATH");
  describe_web_socket(app, options, text);
  describe_admin(app, text);
  app.add_option(
         "--verifiers", server.verifier.processes,
         "Verifications of replays at once, each a process of its own that takes a core and up to 2 GiB")
      ->check(CLI::Range(1, 64))
      ->type_name("N")
      ->default_str("half of the cores, at least one, at most 4");
  describe_load(app, server.loop, text);
  describe_budgets(app, server.budget_maxima);
  describe_rules(app, server);
  // In no help: for tests, of what becomes of a match that moves.
  app.add_option("--move-matches-every-ms", text.move_matches_every_ms)
      ->check(CLI::Range(1, 60'000))
      ->group("");
  describe_client_limits(app, server, text);
  describe_quotas(app, server.clients);
  describe_tickets(app, options.tickets);
  describe_tls(app, options.tls, server.clients);
  describe_storage(app, text);
  describe_log(app, text);
  app.add_option("--ready-file", options.ready_file,
                 "File to write the port to as soon as clients can connect")
      ->type_name("PATH");
}

/// Else an empty variable of a script would start a server without tickets, rules or a journal.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator is_there(
      [](const std::string& value) { return value.empty() ? std::string("is empty") : std::string(); }, "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) option->check(is_there);
  }
}

}  // namespace

std::variant<Options, ExitCode> parse_options(int argc, char** argv) {
  CLI::App app("Decides who hit whom in online shoot-'em-ups.", "sweepd");
  app.set_version_flag("--version", "sweepd " SWEEPD_VERSION);
  app.footer(
      "Example:\n"
      "  sweepd --listen 0.0.0.0:7777 --tls-cert chain.pem --tls-key key.pem --advertise "
      "game.example.com:7777");
  Options options;
  options.server.loops = cores();
  options.server.verifier.processes = std::clamp<std::size_t>(cores() / 2, 1, 4);
  Text text;
  describe(app, options, text);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_usage_error = app.exit(error) != 0;
    return ExitCode{is_usage_error ? kUsageError : 0};
  }
  if (const std::string fault = take_tls(app, options.tls); !fault.empty()) {
    std::cerr << fault << '\n';
    return ExitCode{kUsageError};
  }
  options.server.listen = *session::ListenAddress::parse(text.listen);
  if (!text.advertise.empty()) options.server.advertised = *session::ListenAddress::parse(text.advertise);
  // Only the operator knows to which ports a mapping leads.
  const bool may_have_loop_ports = text.advertise.empty() || options.server.loop_port_base != 0;
  options.server.has_loop_ports = may_have_loop_ports && !text.has_no_loop_ports;
  if (!text.http_listen.empty()) options.http_listen = session::ListenAddress::parse(text.http_listen);
  if (!text.ws_listen.empty()) options.ws_listen = session::ListenAddress::parse(text.ws_listen);
  options.server.side_listen = options.ws_listen.value_or(session::ListenAddress{});
  options.server.admin = admin_options(text);
  options.server.idle_match_timeout = std::chrono::seconds(text.idle_match_timeout_s);
  options.server.loop.load_limits.lateness_max = std::chrono::milliseconds(text.loop_lateness_max_ms);
  options.server.loop.load_limits.match_time_max = std::chrono::seconds(text.match_cpu_time_max_s);
  options.server.move_matches_every = std::chrono::milliseconds(text.move_matches_every_ms);
  take_budgets(text, options.server);
  options.storage = storage_options(text, options.server.clients);
  options.server.tickets = options.tickets.tickets;
  options.log_level = *runtime::parse_log_level(text.log_level);
  options.log_format = text.log_format == "json" ? runtime::LogFormat::kJson : runtime::LogFormat::kText;
  const std::size_t last_port = options.server.loop_port_base + options.server.loops - 1;
  if (options.server.loop_port_base != 0 && last_port > std::numeric_limits<std::uint16_t>::max()) {
    std::cerr << "--loop-port-base: the last loop's port would be " << last_port << "; at most 65535\n";
    return ExitCode{kUsageError};
  }
  return options;
}

}  // namespace sweepd::app
