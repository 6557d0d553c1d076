// SPDX-License-Identifier: MIT
#include "app/server_options.h"

#include <CLI/CLI.hpp>
#include <thread>

namespace sweepd::app {
namespace {

constexpr int kExitUsage = 2;

/// HOST:PORT, with the port after the last colon: IPv6 hosts have more of them.
bool split_address(const std::string& address, rpc::ServerOptions& options) {
  const auto colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  const std::string port = address.substr(colon + 1);
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos) return false;
  if (std::stoul(port) > 65535) return false;
  options.host = address.substr(0, colon);
  if (options.host.front() == '[' && options.host.back() == ']') {
    options.host = options.host.substr(1, options.host.size() - 2);
  }
  options.port = static_cast<std::uint16_t>(std::stoul(port));
  return true;
}

void add_options(CLI::App& command, Options& options, std::string& listen, std::int64_t& idle_timeout_s) {
  rpc::ServerOptions& server = options.server;
  command.add_option("--listen", listen, "Address to serve on; port 0 takes any free one")->capture_default_str();
  command.add_option("--loops", server.loops, "Threads that serve; default: one per core")->check(CLI::Range(1, 256));
  command.add_option("--loop-port-base", server.loop_port_base, "Loop i's own port is this plus i; 0: any free ones")
      ->capture_default_str();
  command.add_option("--advertise-host", server.advertise_host,
                     "Host told to clients as a match's endpoint; default: the one they came by");
  command.add_option("--matches-max", server.matches_max, "Matches at once; more are refused")
      ->check(CLI::PositiveNumber)->capture_default_str();
  command.add_option("--streams-max", server.streams_max, "Streams at once; more are refused")
      ->check(CLI::PositiveNumber)->capture_default_str();
  command.add_option("--idle-match-timeout-s", idle_timeout_s, "A match nobody follows ends after this many seconds")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{31'536'000}))->capture_default_str();
  command.add_option("--ready-file", options.ready_file, "Gets the port once the server is ready");
  command.add_option("--log-level", options.log_level, "What to log")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))->capture_default_str();
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, int& exit_code) {
  Options options;
  options.server.loops = std::max(1u, std::thread::hardware_concurrency());
  std::string listen = "127.0.0.1:7777";
  std::int64_t idle_timeout_s = options.server.idle_timeout.count();
  CLI::App command("sweepd decides who hit whom in online shoot-'em-ups.", "sweepd");
  command.footer("Example:\n  sweepd --listen 0.0.0.0:7777 --advertise-host game.example.org\n"
                 "SIGTERM and Ctrl-C stop it: streams are told why, then it exits.");
  command.set_version_flag("--version", "sweepd " SWEEPD_VERSION);
  add_options(command, options, listen, idle_timeout_s);
  try {
    command.parse(argc, argv);
    if (!split_address(listen, options.server)) {
      throw CLI::ValidationError("--listen", "'" + listen + "' is not HOST:PORT");
    }
  } catch (const CLI::ParseError& error) {
    exit_code = command.exit(error) == 0 ? 0 : kExitUsage;
    return std::nullopt;
  }
  options.server.idle_timeout = std::chrono::seconds(idle_timeout_s);
  return options;
}

}  // namespace sweepd::app
