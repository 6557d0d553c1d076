// SPDX-License-Identifier: MIT
#include "tools/sweepctl/command_load_options.h"

#include <sched.h>

#include <sstream>

#include "tools/sweepctl/command.h"

namespace sweepd::tools {
namespace {

using load::LoadOptions;

void add_count(CLI::App& command, const std::string& name, std::uint32_t& value, std::uint32_t low,
               std::uint32_t high, const std::string& description) {
  command.add_option(name, value, description + ", " + std::to_string(low) + " to " + std::to_string(high))
      ->type_name("N")
      ->check(CLI::Range(low, high).description(""))
      ->capture_default_str();
}

/// A range that "nan" is not in.
CLI::Validator within(double low, double high) {
  return CLI::Validator(
      [low, high](const std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
        std::ostringstream error;
        error << text << " is not a number from " << low << " to " << high;
        return error.str();
      },
      "");
}

CLI::Option* add_time(CLI::App& command, const std::string& name, const std::string& unit, double& value,
                      double low, double high, const std::string& description) {
  return command.add_option(name, value, description)->type_name(unit)->check(within(low, high));
}

void add_play_options(CLI::App& command, LoadOptions& options, LoadWords& words) {
  add_count(command, "--matches", options.matches, 1, 100'000, "How many matches");
  add_count(command, "--clients", options.clients, 1, 64,
            "Clients of each match, who share the scene's objects");
  command
      .add_option("--scene", options.scene,
                  "W1: a shoot-'em-up's stage of 426 objects; W2: a bullet hell of 5504")
      ->type_name("W1|W2")
      ->check(one_of("W1|W2"))
      ->capture_default_str();
  command
      .add_option("--trace", options.trace_path,
                  "A recorded match to play instead of a scene, again and again (format version 1), or - for "
                  "standard input; its participants are the clients")
      ->type_name("FILE");
  add_choice(
      command, "--motion", options.motion, "explicit|server|all",
      {{"explicit", load::MotionKind::kExplicit},
       {"server", load::MotionKind::kServer},
       {"all", load::MotionKind::kServerButPlayers}},
      "What moves bullets and shots: clients, every one in every tick, or the server; all: the server moves "
      "all but players (default: explicit)");
  add_choice(
      command, "--events", options.events, "all|own|own-enters",
      {{"all", load::EventsAsked::kAll},
       {"own", load::EventsAsked::kOwn},
       {"own-enters", load::EventsAsked::kOwnEnters}},
      "Which events clients ask for: of all objects, of their own, or where contact of their own begins; "
      "with the latter two they ask for digests once a second only (default: all)");
  add_time(command, "--duration", "SECONDS", words.duration_s, 0.1, 86400,
           "How long to measure, 0.1 to 86400; of a search, each step")
      ->capture_default_str();
  add_time(command, "--warm-up", "SECONDS", words.warm_up_s, 0.1, 86400,
           "How long to play before that, 0.1 to 86400")
      ->capture_default_str();
  add_count(command, "--rate", options.rate_hz, 1, 240, "Ticks and frames a second");
  add_time(command, "--jitter-ms", "MS", words.jitter_ms, 0, 1000,
           "Each frame is sent late by a random time up to this, at most the time between two frames");
  command
      .add_option("--connections-per-match", words.connections,
                  "1: the clients of a match share a connection (default: each has its own)")
      ->type_name("1")
      ->check(CLI::Range(1, 1).description(""));
  command.add_flag("--feed", options.asks_for_world,
                   "Clients ask for the world feed, too: every object of their match, in every tick");
  command.add_flag(
      "--shared-streams", options.shared_streams,
      "A game server plays for all clients of a match: over one stream, with one message a tick");
  add_count(command, "--history-ticks", options.history_ticks, 0, 3600, "history_ticks of the matches");
}

void add_behavior_options(CLI::App& command, load::ClientBehaviorCounts& behavior) {
  constexpr std::uint32_t kMax = 1'000'000;
  add_count(command, "--slow-readers", behavior.slow_readers, 0, kMax,
            "So many clients read nothing after they joined");
  add_count(command, "--disconnecting", behavior.disconnecting, 0, kMax,
            "So many break their connection every second and come back");
  add_count(command, "--late-frames", behavior.late_frames, 0, kMax,
            "So many send a late frame every second");
  add_count(command, "--malformed", behavior.malformed, 0, kMax,
            "So many send a malformed frame every second");
}

void add_measuring_options(CLI::App& command, LoadOptions& options, LoadWords& words) {
  add_time(command, "--search", "MS", words.search_ms, 0, 10'000,
           "Add matches until a p99 (tick lateness, update to event beyond the wait, age of unread input) is "
           "above this, up "
           "to 10000");
  add_count(command, "--search-step", options.search_step, 1, 10'000,
            "How many matches a search adds at a time");
  add_count(command, "--threads", options.threads, 1, 64, "Threads of the load generator");
  command.add_option("--pin-core", options.pin_core, "The core on which to run")
      ->type_name("CORE")
      ->check(CLI::Range(0, CPU_SETSIZE - 1).description(""));
  command
      .add_option("--server-pid", options.server_pid,
                  "The server's process, to measure it (default: found by its port)")
      ->type_name("PID")
      ->check(CLI::PositiveNumber.description(""));
  command
      .add_option(
          "--metrics", options.metrics_address,
          "Where the server's metrics are (its --http-listen): what changes of them while it is measured "
          "is told, too. https:// takes --ca, --cert and --key as the server's address does")
      ->type_name("URL");
  command.add_option("--json", options.json_path, "Write all figures here")->type_name("FILE");
  command.add_option("--svg", options.svg_path, "Write a plot here: latencies, and lateness over time")
      ->type_name("FILE");
  command.add_flag("--progress", options.shows_progress,
                   "A line every second, also where stderr is no terminal");
}

/// Two options that do not go together.
struct Clash {
  const char* option;
  const char* with;
  const char* reason;
};

constexpr const char* kOwnStream = "a client misbehaves on a stream of its own";
constexpr Clash kClashes[] = {
    {"--scene", "--trace", "a trace takes the scene's place"},
    {"--clients", "--trace", "a trace's participants are the clients"},
    {"--motion", "--trace", "a trace gives every move itself"},
    {"--disconnecting", "--trace", "a broken stream loses frames, and a trace's later changes need them"},
    {"--connections-per-match", "--shared-streams", "a match's one stream has one connection anyway"},
    {"--slow-readers", "--shared-streams", kOwnStream},
    {"--disconnecting", "--shared-streams", kOwnStream},
    {"--late-frames", "--shared-streams", kOwnStream},
    {"--malformed", "--shared-streams", kOwnStream}};

}  // namespace

void add_load_options(CLI::App& command, LoadOptions& options, LoadWords& words) {
  add_play_options(command, options, words);
  add_behavior_options(command, options.behavior);
  add_measuring_options(command, options, words);
}

void take(const LoadWords& words, LoadOptions& options) {
  const auto microseconds = [](double ms) {
    return std::chrono::microseconds(static_cast<std::int64_t>(ms * 1000));
  };
  options.duration = std::chrono::milliseconds(static_cast<std::int64_t>(words.duration_s * 1000));
  options.warm_up = std::chrono::milliseconds(static_cast<std::int64_t>(words.warm_up_s * 1000));
  options.jitter = microseconds(words.jitter_ms);
  if (words.search_ms > 0) options.search_bound = microseconds(words.search_ms);
  options.one_connection_per_match = words.connections == 1;
}

std::string find_clash(const CLI::App& command) {
  for (const Clash& clash : kClashes) {
    if (command.count(clash.option) == 0 || command.count(clash.with) == 0) continue;
    return std::string(clash.option) + " with " + clash.with + ": " + clash.reason;
  }
  return {};
}

std::string find_excess(const LoadOptions& options) {
  const std::uint64_t clients = std::uint64_t{options.matches} * options.clients;
  if (options.behavior.sum() > clients) {
    return std::to_string(options.behavior.sum()) + " misbehaving clients are asked for, of " +
           std::to_string(clients);
  }
  // Later than the next frame none is sent.
  const std::chrono::microseconds interval_max(1'000'000 / options.rate_hz);
  if (options.jitter <= interval_max) return {};
  return "--jitter-ms: more than the " + std::to_string(static_cast<double>(interval_max.count()) / 1000) +
         " ms between two frames at --rate " + std::to_string(options.rate_hz);
}

}  // namespace sweepd::tools
