// SPDX-License-Identifier: MIT
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/file_limit.h"
#include "app/sweepctl/command.h"
#include "app/sweepctl/interrupt.h"
#include "app/sweepctl/load/load_run.h"
#include "app/sweepctl/load/trace_loop.h"
#include "app/sweepctl/trace_file.h"

namespace sweepd::app {
namespace {

using load::LoadOptions;
using load::LoadResult;
using load::LoadRun;

bool pin_to(std::uint32_t core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return sched_setaffinity(0, sizeof cores, &cores) == 0;
}

/// A line on the terminal that replaces itself; lines one after the other where stderr goes elsewhere.
void show_progress(const std::string& line) {
  if (isatty(STDERR_FILENO) == 1) {
    std::cerr << "\r\033[K" << line << std::flush;
  } else {
    std::cerr << line << std::endl;
  }
}

/// Before a run of minutes, not after it. What is in the file stays.
bool can_write(const std::string& path) {
  if (path.empty()) return true;
  std::error_code error;
  const bool was_there = std::filesystem::exists(path, error);
  const bool is_open = std::ofstream(path, std::ios::app).is_open();
  if (is_open && !was_there) std::filesystem::remove(path, error);
  if (!is_open) print_error("cannot write " + path);
  return is_open;
}

bool write_file(const std::string& path, const std::string& content) {
  if (path.empty()) return true;
  std::ofstream file(path);
  file << content << std::flush;
  if (file) return true;
  print_error("cannot write " + path);
  return false;
}

bool write_files(const LoadOptions& options, const LoadResult& result) {
  const bool has_json = write_file(options.json_path, json_of(result) + "\n");
  const bool has_svg = write_file(options.svg_path, svg_of(result));
  return has_json && has_svg;
}

/// Of a search, in any of its steps.
std::uint64_t streams_closed(const LoadResult& result) {
  std::uint64_t closed = result.streams_closed;
  if (!result.search) return closed;
  for (const load::SearchStep& step : result.search->steps) closed = std::max(closed, step.streams_closed);
  return closed;
}

int exit_code_of(const LoadResult& result) {
  if (result.was_interrupted) return kExitInterrupted;
  const std::uint64_t closed = streams_closed(result);
  if (closed == 0) return kExitOk;
  print_error(std::to_string(closed) + " streams were closed, not by the load" +
              (result.first_error.empty() ? "" : ": " + result.first_error));
  return kExitFailed;
}

void end_matches(LoadRun& run) {
  const std::uint32_t left = run.end();
  if (left == 0) return;
  print_error("the server does not answer any more: " + std::to_string(left) +
              (left == 1 ? " match" : " matches") + " may still run there");
}

/// kExitOk: the options' trace, if there is one, is there and can be played.
int read_trace(LoadOptions& options) {
  if (options.trace_path.empty()) return kExitOk;
  const auto fail = [&options](const std::string& message) {
    print_error("--trace " + options.trace_path + ": " + message);
    return kExitFailed;
  };
  Result<Trace> trace = app::read_trace(options.trace_path);
  if (!trace.ok()) return fail(trace.status().message());
  if (trace->last_tick > load::kTraceTicksMax) {
    return fail(std::to_string(trace->last_tick) + " ticks are more than the " +
                std::to_string(load::kTraceTicksMax) + " that the load plays");
  }
  options.clients = static_cast<std::uint32_t>(trace->participants.size());
  options.trace = std::make_shared<const Trace>(std::move(*trace));
  return kExitOk;
}

int run_load(const LoadOptions& options) {
  (void)raise_file_limit();
  if (!can_write(options.json_path) || !can_write(options.svg_path)) return kExitFailed;
  // Before there is any thread: those to come inherit it.
  if (options.pin_core && !pin_to(*options.pin_core)) {
    print_error("--pin-core " + std::to_string(*options.pin_core) + ": this process may not run there");
    return kExitFailed;
  }
  catch_interrupts();
  const bool shows_progress = options.shows_progress || isatty(STDERR_FILENO) == 1;
  LoadRun run(options, interrupted, [shows_progress](const std::string& line) {
    if (shows_progress) show_progress(line);
  });
  const Result<LoadResult> result = run.run();
  if (isatty(STDERR_FILENO) == 1) show_progress("");
  if (result.ok()) std::cout << table_of(*result) << std::flush;
  const bool is_written = !result.ok() || write_files(options, *result);
  end_matches(run);
  if (!result.ok()) return fail(result.status(), options.server);
  return is_written ? exit_code_of(*result) : kExitFailed;
}

/// What the command line says in other units than LoadOptions.
struct Words {
  double duration_s = 10;
  double warm_up_s = 2;
  double jitter_ms = 0;
  double search_ms = 0;  ///< 0: no search.
  std::uint32_t connections = 0;
};

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

void add_play_options(CLI::App& command, LoadOptions& options, Words& words) {
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
      command, "--motion", options.motion, "explicit|server",
      {{"explicit", load::MotionKind::kExplicit}, {"server", load::MotionKind::kServer}},
      "Who moves bullets and shots: clients, every one in every tick, or the server (default: explicit)");
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
  add_count(command, "--history-ticks", options.history_ticks, 0, 3600, "history_ticks of the matches");
}

void add_manners_options(CLI::App& command, load::MannersCounts& manners) {
  constexpr std::uint32_t kMax = 1'000'000;
  add_count(command, "--slow-readers", manners.slow_readers, 0, kMax,
            "So many clients read nothing after they joined");
  add_count(command, "--disconnecting", manners.disconnecting, 0, kMax,
            "So many break their connection every second and come back");
  add_count(command, "--late-frames", manners.late_frames, 0, kMax, "So many send a late frame every second");
  add_count(command, "--malformed", manners.malformed, 0, kMax,
            "So many send a malformed frame every second");
}

void add_measuring_options(CLI::App& command, LoadOptions& options, Words& words) {
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
          "is told, too")
      ->type_name("URL");
  command.add_option("--json", options.json_path, "Write all figures here")->type_name("FILE");
  command.add_option("--svg", options.svg_path, "Write a plot here: latencies, and lateness over time")
      ->type_name("FILE");
  command.add_flag("--progress", options.shows_progress,
                   "A line every second, also where stderr is no terminal");
}

void take(const Words& words, LoadOptions& options) {
  const auto microseconds = [](double ms) {
    return std::chrono::microseconds(static_cast<std::int64_t>(ms * 1000));
  };
  options.duration = std::chrono::milliseconds(static_cast<std::int64_t>(words.duration_s * 1000));
  options.warm_up = std::chrono::milliseconds(static_cast<std::int64_t>(words.warm_up_s * 1000));
  options.jitter = microseconds(words.jitter_ms);
  if (words.search_ms > 0) options.search_bound = microseconds(words.search_ms);
  options.one_connection_per_match = words.connections == 1;
}

/// Empty: the options go together with --trace.
std::string check_trace_options(const CLI::App& command) {
  if (command.count("--trace") == 0) return {};
  if (command["--trace"]->as<std::string>().empty()) return "--trace: no file is named";
  const std::pair<const char*, const char*> wrong[] = {
      {"--scene", "a trace takes the scene's place"},
      {"--clients", "a trace's participants are the clients"},
      {"--motion", "a trace gives every move itself"},
      {"--disconnecting", "a broken stream loses frames, and a trace's later changes need them"}};
  for (const auto& [option, reason] : wrong) {
    if (command.count(option) > 0) return std::string(option) + " with --trace: " + reason;
  }
  return {};
}

std::string check(const LoadOptions& options) {
  const std::uint64_t clients = std::uint64_t{options.matches} * options.clients;
  if (options.manners.sum() > clients) {
    return std::to_string(options.manners.sum()) + " misbehaving clients are asked for, of " +
           std::to_string(clients);
  }
  // Later than the next frame none is sent.
  const std::chrono::microseconds interval_max(1'000'000 / options.rate_hz);
  if (options.jitter <= interval_max) return {};
  return "--jitter-ms: more than the " + std::to_string(static_cast<double>(interval_max.count()) / 1000) +
         " ms between two frames at --rate " + std::to_string(options.rate_hz);
}

}  // namespace

void add_load_command(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<LoadOptions>();
  auto words = std::make_shared<Words>();
  CLI::App* command =
      add_command(app, invocation, "load", "Plays many matches at once and measures how the server holds up",
                  "  sweepctl load --matches 50 --duration 10 --json load.json --svg load.svg\n"
                  "  sweepctl load --matches 20 --search 5 --duration 5\n"
                  "  xz -dc tests/golden/traces/boss.trace.xz | sweepctl load --trace - --matches 20\n"
                  "Due times of ticks are those of the fastest updates of each match. Ctrl-C ends early with "
                  "what there is.");
  add_play_options(*command, *options, *words);
  add_manners_options(*command, options->manners);
  add_measuring_options(*command, *options, *words);
  command->callback([=, &invocation] {
    take(*words, *options);
    invocation.run = [options, command, &invocation] {
      options->server = invocation.server;
      if (const std::string error = check_trace_options(*command); !error.empty()) {
        print_error(error);
        return kExitUsage;
      }
      if (const int code = read_trace(*options); code != kExitOk) return code;
      if (const std::string error = check(*options); !error.empty()) {
        print_error(error);
        return kExitUsage;
      }
      return run_load(*options);
    };
  });
}

}  // namespace sweepd::app
