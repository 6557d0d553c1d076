// SPDX-License-Identifier: MIT
#include <chrono>
#include <iostream>
#include <thread>

#include "app/sweepctl/command.h"
#include "app/sweepctl/interrupt.h"
#include "app/sweepctl/match_text.h"

namespace sweepd::app {
namespace {

struct WatchOptions {
  std::string match_id;
  bool json = false;
  std::uint64_t ticks = 0;  ///< 0: until the match ends.
};

/// Prints what a watcher receives, as it comes.
class EncounterPrinter {
 public:
  EncounterPrinter(Watcher& watcher, MatchConfig config, bool json)
      : watcher_(watcher), config_(std::move(config)), json_(json) {}

  void print_open() {
    for (const Encounter& encounter : watcher_.encounters_at_start()) {
      print(json_ ? encounter_json(encounter, config_) : encounter_text(encounter, config_));
    }
    std::cout << std::flush;
  }

  void print_new() {
    bool any = false;
    while (const auto event = watcher_.poll_event()) {
      any = true;
      ++(event->kind == EventKind::kEnter ? enters_ : exits_);
      print(json_ ? event_json(*event, config_) : event_text(*event, config_));
    }
    if (any) std::cout << std::flush;
  }

  std::string summary() const {
    return std::to_string(enters_) + " enters, " + std::to_string(exits_) + " exits";
  }

 private:
  static void print(const std::string& line) { std::cout << line << '\n'; }

  Watcher& watcher_;
  MatchConfig config_;
  bool json_;
  std::uint64_t enters_ = 0;
  std::uint64_t exits_ = 0;
};

// Short enough that an encounter appears in the frame in which it happens.
constexpr std::chrono::milliseconds kPause{5};

void wait_while_connecting(const Watcher& watcher) {
  while (watcher.state() == SessionState::kConnecting && !interrupted()) std::this_thread::sleep_for(kPause);
}

int watch(const WatchOptions& options, const std::string& server) {
  catch_interrupts();
  Client client = make_client(server);
  Watcher watcher = client.watch(options.match_id);
  wait_while_connecting(watcher);
  const std::optional<MatchInfo> match = watcher.match();
  if (!match) return interrupted() ? kExitOk : fail(watcher.error(), server);
  std::cerr << "watching " << options.match_id << ": " << match_line(*match) << "; Ctrl-C ends" << std::endl;
  EncounterPrinter printer(watcher, match->config, options.json);
  printer.print_open();
  const Tick until = options.ticks == 0 ? 0 : match->tick + options.ticks;
  bool enough = false;
  while (!enough) {
    // State and tick are read before the events are polled: what they promise is then printed.
    enough =
        interrupted() || watcher.state() != SessionState::kJoined || (until != 0 && watcher.tick() >= until);
    printer.print_new();
    if (!enough) std::this_thread::sleep_for(kPause);
  }
  if (watcher.state() == SessionState::kFailed) return fail(watcher.error(), server);
  const bool ended = watcher.state() == SessionState::kEnded;
  std::cerr << (ended ? "the match ended" : "watched") << " at tick " << watcher.tick() << ": "
            << printer.summary() << ", digest " << digest_text(watcher.digest()) << std::endl;
  return kExitOk;
}

}  // namespace

void add_watch_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<WatchOptions>();
  CLI::App* command = add_command(app, invocation, "watch", "Prints the encounters of a match as they happen",
                                  "  sweepctl watch \"$match\" --ticks 600 --json");
  command->add_option("MATCH", options->match_id, "Id of the match")->required();
  command->add_flag("--json", options->json, "One JSON object a line");
  command->add_option("--ticks", options->ticks, "Ends after so many ticks")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->callback([&invocation, options] {
    invocation.run = [&invocation, options] { return watch(*options, invocation.server); };
  });
}

}  // namespace sweepd::app
