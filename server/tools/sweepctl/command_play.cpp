// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <chrono>
#include <iomanip>
#include <iostream>

#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/interrupt.h"
#include "tools/sweepctl/match_file_option.h"
#include "tools/sweepctl/match_text.h"
#include "tools/sweepctl/trace_file.h"
#include "tools/sweepctl/trace_match_file.h"
#include "tools/sweepctl/trace_player.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

using Clock = std::chrono::steady_clock;

// A server lets about a thousand frames of a participant wait for their ticks and refuses more.
constexpr int kLeadTicksMax = 1000;
// A realtime clock starts with the last participant's first frame; on a busy machine its second one may come
// late.
constexpr int kAttemptsMax = 4;

struct PlayOptions {
  std::string trace_path;
  std::string events_path;
  TraceMatchOptions match;
  bool keep = false;
  std::string config_path;  ///< Of the match file; empty: none.
};

/// A line on the terminal that replaces itself; nothing where stderr is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(Tick last_tick) : last_tick_(last_tick) {}
  ~ProgressLine() { clear(); }

  void show(Tick tick) {
    if (!terminal_ || Clock::now() < next_) return;
    rewrite_terminal_line("tick " + std::to_string(tick) + " of " + std::to_string(last_tick_));
    next_ = Clock::now() + std::chrono::milliseconds(100);
    shown_ = true;
  }
  void clear() {
    if (shown_) rewrite_terminal_line("");
    shown_ = false;
  }

 private:
  Tick last_tick_;
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  Clock::time_point next_;
};

void print_summary(const PlayOptions& options, const Trace& trace, const EventFile& events,
                   const TracePlaySummary& summary, Clock::duration time) {
  // Standard output belongs to the events where they go there.
  std::ostream& out = options.events_path == "-" ? std::cerr : std::cout;
  out << "played " << trace.last_tick << " ticks as match " << summary.match_id << ": " << events.enters()
      << " enters, " << events.exits() << " exits, " << std::fixed << std::setprecision(2)
      << std::chrono::duration<double>(time).count() << " s, digest " << digest_text(summary.digest)
      << " after tick " << summary.digest_tick << std::endl;
}

/// One try, with a match and a file of its own.
int play_once(const PlayOptions& options, const Trace& trace, const ServerChoice& server, bool& again) {
  EventFile events(options.events_path);
  if (const Status status = events.open(); !status.ok()) return fail(status, server);
  ProgressLine progress(trace.last_tick);
  TracePlayerOptions player_options{server, options.match, options.keep, {}};
  player_options.on_progress = [&progress](Tick tick) { progress.show(tick); };
  const auto begin = Clock::now();
  TracePlayer player(trace, std::move(player_options));
  const Result<TracePlaySummary> summary = player.play(events);
  progress.clear();
  if (!summary.ok() && interrupted()) {
    print_error(options.keep ? "interrupted; the match goes on" : "interrupted; the match is ended");
    return kExitInterrupted;
  }
  again = player.was_late_at_start();
  if (!summary.ok()) return fail(summary.status(), server);
  if (const Status status = events.commit(); !status.ok()) return fail(status, server);
  print_summary(options, trace, events, *summary, Clock::now() - begin);
  return kExitOk;
}

/// Of a config, as far as a command about a trace has options for it.
MatchConfig config_of(const TraceMatchOptions& options) {
  MatchConfig config;
  config.name = options.name;
  config.clock = options.clock;
  config.tick_rate_hz = options.tick_rate_hz;
  config.broadphase = options.broadphase;
  config.sector_grid = options.sector_grid;
  return config;
}

const std::vector<FieldOption> kPlayFieldOptions = {
    {"--name", "name", copy_field<&MatchConfig::name>},
    {"--clock", "clock", copy_field<&MatchConfig::clock>},
    {"--rate", "tick_rate_hz", copy_field<&MatchConfig::tick_rate_hz>},
    {"--broadphase", "broadphase", copy_field<&MatchConfig::broadphase>},
    {"--sectors", "sector_grid.scheme", copy_field<&MatchConfig::sector_grid, &SectorGrid::scheme>},
    {"--sector-size", "sector_grid.sector_size",
     copy_field<&MatchConfig::sector_grid, &SectorGrid::sector_size>}};

/// The match of the file as the trace and the command line leave it.
TraceMatchOptions match_options_of(const CLI::App& command, const PlayOptions& options, MatchFile& file) {
  // A trace is played as fast as it goes, unless its match file names a clock.
  if (!file.places.contains("clock")) file.config.clock = options.match.clock;
  if (!file.places.contains("name")) file.config.name = options.match.name;
  apply_options(command, kPlayFieldOptions, config_of(options.match), file);
  TraceMatchOptions match = options.match;
  match.name = file.config.name;
  match.clock = file.config.clock;
  match.tick_rate_hz = file.config.tick_rate_hz;
  match.broadphase = file.config.broadphase;
  match.sector_grid = file.config.sector_grid;
  match.base = file.config;
  return match;
}

/// kExitOk if the trace can be played in the match of the file.
int use_match_file(const CLI::App& command, const Trace& trace, PlayOptions& options) {
  std::optional<MatchFile> file = open_match_file(options.config_path);
  if (!file) return kExitFailed;
  options.match = match_options_of(command, options, *file);
  const MatchConfig played = match_config_of(trace, options.match);
  for (const std::string& line : decided_by_trace(*file, played)) print_note(line);
  const Status status = check_config(played);
  return status.ok() ? kExitOk : fail(status, *file);
}

int play(const CLI::App& command, PlayOptions options, const ServerChoice& server) {
  const Result<Trace> trace = read_trace(options.trace_path);
  if (!trace.ok()) {
    print_error(trace.status().message());
    return kExitFailed;
  }
  if (!options.config_path.empty()) {
    if (const int code = use_match_file(command, *trace, options); code != kExitOk) return code;
  }
  // Not before: until there is a match to end, an interrupt may end the program at once.
  catch_interrupts();
  for (int attempt = 1;; ++attempt) {
    bool again = false;
    const int code = play_once(options, *trace, server, again);
    if (!again || attempt == kAttemptsMax) return code;
    std::cerr << "playing the trace again from the start, try " << attempt + 1 << " of " << kAttemptsMax
              << std::endl;
  }
}

void add_match_options(CLI::App& command, TraceMatchOptions& match) {
  add_choice(command, "--clock", match.clock, "manual|realtime|lockstep",
             {{"realtime", ClockKind::kRealtime},
              {"manual", ClockKind::kManual},
              {"lockstep", ClockKind::kLockstep}},
             "As fast as it goes by steps, at the rate, or as fast as it goes by frames (default: manual)");
  command.add_option("--rate", match.tick_rate_hz, "Ticks per second with the realtime clock")
      ->type_name("HZ")
      ->check(CLI::Range(1, 240))
      ->capture_default_str();
  command.add_option("--lead-ticks", match.lead_ticks, "How far ahead of the server frames are sent")
      ->type_name("N")
      ->check(CLI::Range(1, kLeadTicksMax))
      ->capture_default_str();
  add_broadphase_options(command, match.broadphase, match.sector_grid);
}

}  // namespace

void add_play_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<PlayOptions>();
  options->match.name = "trace";
  CLI::App* command = add_command(
      app, invocation, "play", "Plays a recorded match through a live server, one connection per participant",
      "  xz -dc tests/golden/traces/boss.trace.xz | sweepctl play - --clock realtime --events boss.events");
  command->add_option("TRACE", options->trace_path, "The trace (format version 1), or - for standard input")
      ->required();
  command
      ->add_option(
          "--events", options->events_path,
          "Writes every encounter to this file, or - for standard output: TICK enter|exit A B, and the "
          "time of impact in 1/256 tick where it is not the tick's end")
      ->type_name("FILE");
  add_match_options(*command, options->match);
  command->add_option("--name", options->match.name, "Name of the match")->capture_default_str();
  add_match_file_option(*command, options->config_path,
                        "The match to play in, described in a file. Layers that the trace has and which of "
                        "them collide, participants and late frames are the trace's; other options win, too");
  command->add_flag("--keep", options->keep, "Leaves the match running at the end");
  command->callback([&invocation, options, command] {
    invocation.run = [&invocation, options, command] { return play(*command, *options, invocation.server); };
  });
}

}  // namespace sweepd::tools
