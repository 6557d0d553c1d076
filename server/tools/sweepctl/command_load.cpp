// SPDX-License-Identifier: MIT
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "os/file_limit.h"
#include "tools/load/load_run.h"
#include "tools/load/trace_loop.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/command_load_options.h"
#include "tools/sweepctl/interrupt.h"
#include "tools/sweepctl/trace_file.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
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
    rewrite_terminal_line(line);
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

int exit_code_of_load(const LoadResult& result) {
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
int take_trace(LoadOptions& options) {
  if (options.trace_path.empty()) return kExitOk;
  const auto fail = [&options](const std::string& message) {
    print_error("--trace " + options.trace_path + ": " + message);
    return kExitFailed;
  };
  Result<Trace> trace = read_trace(options.trace_path);
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
  (void)os::raise_file_limit();
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
  return is_written ? exit_code_of_load(*result) : kExitFailed;
}

}  // namespace

void add_load_command(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<LoadOptions>();
  auto words = std::make_shared<LoadWords>();
  CLI::App* command =
      add_command(app, invocation, "load", "Plays many matches at once and measures how the server holds up",
                  "  sweepctl load --matches 50 --duration 10 --json load.json --svg load.svg\n"
                  "  sweepctl load --matches 20 --search 5 --duration 5\n"
                  "  sweepctl load --matches 50 --shared-streams --events own-enters\n"
                  "  xz -dc tests/golden/traces/boss.trace.xz | sweepctl load --trace - --matches 20\n"
                  "Due times of ticks are those of the fastest updates of each match. Ctrl-C ends early with "
                  "what there is.");
  add_load_options(*command, *options, *words);
  command->callback([=, &invocation] {
    take(*words, *options);
    invocation.run = [options, command, &invocation] {
      options->server = invocation.server;
      if (const std::string error = find_clash(*command); !error.empty()) {
        print_error(error);
        return kExitUsage;
      }
      if (const int code = take_trace(*options); code != kExitOk) return code;
      if (const std::string error = find_excess(*options); !error.empty()) {
        print_error(error);
        return kExitUsage;
      }
      return run_load(*options);
    };
  });
}

}  // namespace sweepd::tools
