// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/interrupt.h"
#include "tools/sweepctl/match_text.h"
#include "tools/sweepctl/world_text.h"

namespace sweepd::tools {
namespace {

struct WatchCommand {
  std::string match_id;
  std::vector<std::string> layers;  ///< Names. Empty: all.
  std::vector<ObjectId> objects;    ///< Empty: all.
  bool json = false;
  bool world = false;       ///< Objects, too.
  std::uint64_t ticks = 0;  ///< 0: until the match ends.
};

/// Prints what a watcher receives, as it comes.
class EncounterPrinter {
 public:
  EncounterPrinter(Watcher& watcher, MatchConfig config, bool json)
      : watcher_(watcher), config_(std::move(config)), json_(json) {}

  void print_open(const std::vector<Encounter>& encounters) {
    for (const Encounter& encounter : encounters) {
      print(json_ ? encounter_json(encounter, config_) : encounter_text(encounter, config_));
    }
    std::cout << std::flush;
  }

  /// Interruptions go to stderr: they are not of the match.
  void print_reconnections() {
    while (const auto reconnection = watcher_.poll_reconnection()) {
      std::cerr << "back after " << reconnection->away.count() << " ms, "
                << (reconnection->resumed ? "nothing is missing" : "too late for what came meanwhile");
      if (reconnection->undone) {
        std::cerr << "; the server came back from its journal: what was told after tick "
                  << reconnection->undone->after_tick << " did not happen";
        if (reconnection->undone->lost_ticks > 0)
          std::cerr << " (" << reconnection->undone->lost_ticks << " durable ticks were lost to damage)";
      }
      std::cerr << std::endl;
    }
  }

  void print_new() {
    bool any = false;
    std::optional<EncounterSnapshot> snapshot = watcher_.poll_snapshot();
    while (const auto event = watcher_.poll_event()) {
      any = true;
      if (snapshot && event->sequence_number > snapshot->last_sequence_number) {
        print(*std::exchange(snapshot, std::nullopt));
      }
      ++(event->kind == EventKind::kEnter ? enters_ : exits_);
      print(json_ ? event_json(*event, config_) : event_text(*event, config_));
    }
    if (snapshot) print(*snapshot);
    if (any) std::cout << std::flush;
  }

  std::string summary() const {
    return std::to_string(enters_) + " enters, " + std::to_string(exits_) + " exits";
  }

 private:
  static void print(const std::string& line) { std::cout << line << '\n'; }

  /// In place of the events that led to it.
  void print(const EncounterSnapshot& snapshot) {
    print(json_ ? snapshot_json(snapshot)
                : "-- events are missing; in contact after tick " + std::to_string(snapshot.tick) + ":");
    print_open(snapshot.open_encounters);
  }

  Watcher& watcher_;
  MatchConfig config_;
  bool json_;
  std::uint64_t enters_ = 0;
  std::uint64_t exits_ = 0;
};

/// Prints which objects come into view and leave it, and once a second how many there are.
class WorldPrinter {
 public:
  WorldPrinter(Watcher& watcher, MatchConfig config, bool json)
      : view_(watcher), config_(std::move(config)), json_(json) {}

  void print_new() {
    const Tick before = view_.tick();
    const WorldNews news = view_.update();
    std::vector<std::string> lines = world_lines(view_, news, config_, json_);
    const Tick second = std::max<Tick>(config_.tick_rate_hz, 1);
    if (before != 0 && view_.tick() / second != before / second) lines.push_back(world_line(view_, json_));
    for (const std::string& line : lines) std::cout << line << '\n';
    if (!lines.empty()) std::cout << std::flush;
  }
  Status error() const { return view_.error(); }

 private:
  WorldView view_;
  MatchConfig config_;
  bool json_;
};

// Short enough that an encounter appears in the frame in which it happens.
constexpr std::chrono::milliseconds kPause{5};

void wait_while_connecting(const Watcher& watcher) {
  while (watcher.state() == SessionState::kConnecting && !interrupted()) std::this_thread::sleep_for(kPause);
}

/// What of the match is asked for; the layers by their names.
Result<EventFilter> filter_of(const WatchCommand& command, const MatchConfig& config) {
  EventFilter filter;
  filter.objects = command.objects;
  for (const std::string& name : command.layers) {
    const auto layer = std::find(config.layers.begin(), config.layers.end(), name);
    if (layer == config.layers.end()) {
      return Status(ErrorCode::kInvalidArgument, "the match has no layer \"" + name + "\"", {}, "--layer");
    }
    filter.layers.push_back(static_cast<std::uint32_t>(layer - config.layers.begin()));
  }
  return filter;
}

/// Objects with a part on one of the layers; all where none is named.
WorldInterest interest_of(const EventFilter& filter) { return {.layers = filter.layers}; }

/// The stream is there, or on its way back.
bool is_following(const Watcher& watcher) {
  return watcher.state() == SessionState::kJoined || watcher.state() == SessionState::kReconnecting;
}

int watch(const WatchCommand& command, const ServerChoice& server) {
  catch_interrupts();
  Client client = make_client(server);
  WatchOptions options;
  options.match_id = command.match_id;
  if (!command.layers.empty() || !command.objects.empty()) {
    const auto described = client.get_match(command.match_id);
    if (!described) return fail(described.status(), server);
    const auto filter = filter_of(command, described->config);
    if (!filter) return fail(filter.status(), server);
    options.filter = *filter;
  }
  if (command.world) options.world = interest_of(options.filter);
  Watcher watcher = client.watch(options);
  wait_while_connecting(watcher);
  const std::optional<MatchInfo> match = watcher.match();
  if (!match) return interrupted() ? kExitOk : fail(watcher.error(), server);
  std::cerr << "watching " << command.match_id << ": " << match_line(*match) << "; Ctrl-C ends" << std::endl;
  EncounterPrinter printer(watcher, match->config, command.json);
  printer.print_open(watcher.encounters_at_start());
  std::optional<WorldPrinter> world;
  if (command.world) world.emplace(watcher, match->config, command.json);
  const Tick until = command.ticks == 0 ? 0 : match->tick + command.ticks;
  bool enough = false;
  while (!enough) {
    // State and tick are read before the events are polled: what they promise is then printed.
    enough = interrupted() || !is_following(watcher) || (until != 0 && watcher.tick() >= until);
    printer.print_reconnections();
    printer.print_new();
    if (world) world->print_new();
    if (!enough) std::this_thread::sleep_for(kPause);
  }
  if (watcher.state() == SessionState::kFailed) return fail(watcher.error(), server);
  if (world && !world->error().ok()) return fail(world->error(), server);
  const bool ended = watcher.state() == SessionState::kEnded;
  std::cerr << (ended ? "the match ended" : "watched") << " at tick " << watcher.tick() << ": "
            << printer.summary() << ", digest " << digest_text(watcher.digest());
  if (watcher.durable_tick() != 0) std::cerr << ", durable to tick " << watcher.durable_tick();
  std::cerr << std::endl;
  return kExitOk;
}

}  // namespace

void add_watch_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<WatchCommand>();
  CLI::App* command = add_command(app, invocation, "watch", "Prints the encounters of a match as they happen",
                                  "  sweepctl watch \"$match\" --ticks 600 --json");
  command->add_option("MATCH", options->match_id, "Id of the match")->required();
  command->add_flag("--json", options->json, "One JSON object a line");
  command->add_flag("--world", options->world,
                    "Objects, too: which come into view and which leave it, and why");
  command->add_option("--ticks", options->ticks, "Ends after so many ticks")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--layer", options->layers, "Only encounters with this layer on one side; may be repeated")
      ->type_name("NAME");
  command->add_option("--object", options->objects, "Only encounters of this object; may be repeated")
      ->type_name("ID")
      ->check(CLI::PositiveNumber);
  command->callback([&invocation, options] {
    invocation.run = [&invocation, options] { return watch(*options, invocation.server); };
  });
}

}  // namespace sweepd::tools
