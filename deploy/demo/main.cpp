// SPDX-License-Identifier: MIT
//
// The quickstart's match: two bots against a stage on a running server, told in words. Everything that moves
// is the game's or the server's, everything that hits is the server's finding.
#include <CLI/CLI.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <thread>

#include "bot.h"
#include "demo_match.h"
#include "report.h"
#include "stage.h"

namespace sweepd::demo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kFrameTime = std::chrono::nanoseconds(std::chrono::seconds(1)) / kTickRateHz;
constexpr std::chrono::seconds kPatience{10};

std::atomic<bool> interrupt_seen{false};

/// How the server is reached, and by whom.
struct Access {
  std::string server = "127.0.0.1:7777";
  std::string ca_file = {};
  std::string token_file = {};     ///< The ticket of who creates and ends the match; empty: none.
  std::string ticket_folder = {};  ///< Has NAME.token for each participant; empty: they have the former one.

  Client client(const std::string& participant = {}) const {
    ClientOptions options;
    options.server = server;
    options.security.tls = !ca_file.empty();
    options.security.ca_file = ca_file;
    const bool is_own = !participant.empty() && !ticket_folder.empty();
    const std::string file = is_own ? ticket_folder + "/" + participant + ".token" : token_file;
    if (!file.empty()) std::ifstream(file) >> options.security.token;
    return Client(options);
  }
};

/// The whole match as one process plays it. A real game has each of the three in a process of its own.
class Demo {
 public:
  Demo(const Access& access, Client& client, const MatchInfo& match)
      : client_(client),
        match_id_(match.match_id),
        clients_{access.client("player-1"), access.client("player-2"), access.client("stage")},
        bots_{Bot(clients_[0], match_id_, "player-1", -40), Bot(clients_[1], match_id_, "player-2", 40)},
        stage_(clients_[2], match_id_),
        report_(match.config, [this](ObjectId id, std::uint32_t layer, std::uint32_t part) {
          return name_of(id, layer, part);
        }) {}

  Status join() {
    const auto deadline = Clock::now() + kPatience;
    while (!everybody_is(SessionState::kJoined)) {
      if (Status status = check(); !status.ok()) return status;
      if (Clock::now() > deadline) return Status(ErrorCode::kDeadlineExceeded, "joining takes too long");
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return {};
  }

  Status play(std::chrono::seconds time) {
    const auto end = Clock::now() + time;
    auto next_frame = Clock::now();
    while (Clock::now() < end && !interrupt_seen) {
      if (Status status = play_frame(); !status.ok()) return status;
      next_frame += kFrameTime;
      std::this_thread::sleep_until(next_frame);
    }
    return {};
  }

  /// Ends the match and takes in the rest of its log.
  Result<MatchInfo> finish() {
    Result<MatchInfo> match = client_.end_match(match_id_);
    const auto deadline = Clock::now() + kPatience;
    while (match.ok() && stage_.session().state() == SessionState::kJoined && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    while (const auto event = stage_.session().poll_event()) report_.tell(*event);
    note_reconnections();
    return match;
  }

  void print_summary(const MatchInfo& match) const {
    std::uint64_t objects = stage_.objects_spawned();
    std::uint64_t frames = stage_.frames_sent();
    std::uint64_t changes_too_late = stage_.changes_too_late();
    for (const Bot& bot : bots_) {
      objects += bot.objects_spawned();
      frames += bot.frames_sent();
      changes_too_late += bot.changes_too_late();
    }
    std::cout << "\nThe match ran " << match.tick << " ticks: " << objects << " objects spawned in " << frames
              << " frames, " << changes_too_late << " changes that came too late.\n"
              << report_.enters() << " encounters, each told to all three participants:\n";
    report_.print_counts();
    std::cout << "Digest of the match: " << std::hex << std::setw(16) << std::setfill('0') << match.digest
              << std::dec << std::endl;
  }

  const Report& report() const { return report_; }

  /// The server was gone, and came back with a snapshot in place of some events: what was counted is not the
  /// whole match.
  bool has_missed_events() const { return has_missed_events_; }

 private:
  Status play_frame() {
    if (Status status = check(); !status.ok()) return status;
    note_reconnections();
    const auto on_event = [this](const Event& event) { report_.tell(event); };
    const auto on_news = [this](const std::string& news) {
      report_.tell_news(stage_.session().tick(), news);
    };
    if (Status status = stage_.react(on_event, on_news); !status.ok()) return status;
    if (Status status = stage_.play_frame({bots_[0].position(), bots_[1].position()}); !status.ok())
      return status;
    for (Bot& bot : bots_) {
      if (Status status = bot.react(); !status.ok()) return status;
      if (Status status = bot.play_frame(stage_.boss().position().x, stage_.bullets()); !status.ok())
        return status;
    }
    return {};
  }

  void note_reconnections() {
    while (const auto reconnection = stage_.session().poll_reconnection()) {
      if (!reconnection->resumed) has_missed_events_ = true;
    }
  }

  bool everybody_is(SessionState state) const {
    return stage_.session().state() == state && bots_[0].session().state() == state &&
           bots_[1].session().state() == state;
  }

  Status check() const {
    for (const Session* session : {&bots_[0].session(), &bots_[1].session(), &stage_.session()}) {
      if (session->state() == SessionState::kFailed) return session->error();
      if (session->state() == SessionState::kEnded) {
        return Status(ErrorCode::kUnavailable, "somebody else ended the match");
      }
    }
    return {};
  }

  std::string name_of(ObjectId id, std::uint32_t layer, std::uint32_t part) const {
    for (const Bot& bot : bots_) {
      if (bot.owns(id)) return layer == kPlayerShot ? bot.name() + "'s shot" : bot.name();
    }
    if (layer == kEnemyBullet) return "a bullet";
    if (layer == kItem) return "an item";
    if (id == stage_.boss().id())
      return "the boss (part " + std::to_string(part) + ", its " + Boss::part_name(part) + ")";
    return "enemy " + std::to_string(id);
  }

  Client& client_;
  std::string match_id_;
  std::array<Client, 3> clients_;
  std::array<Bot, 2> bots_;
  Stage stage_;
  Report report_;
  bool has_missed_events_ = false;
};

int fail(const std::string& what, const Status& status) {
  std::cerr << "sweepd_demo: " << what << ": " << status.message() << std::endl;
  return 1;
}

/// For one who gives the participants their tickets before they play.
int create(const Access& access) {
  const Result<MatchInfo> match = access.client().create_match(demo_config());
  if (!match.ok()) return fail("no match on server " + access.server, match.status());
  std::cout << match->match_id << std::endl;
  return 0;
}

/// `match_id`: of a match of `create`; empty: of a new one.
int run(const Access& access, const std::string& match_id, std::chrono::seconds time) {
  const std::string& server = access.server;
  Client client = access.client();
  const Result<MatchInfo> match =
      match_id.empty() ? client.create_match(demo_config()) : client.get_match(match_id);
  if (!match.ok()) return fail("no match on server " + server, match.status());
  std::cout << "Match " << match->match_id << " on " << server << ": two bots against a boss, "
            << time.count() << " seconds at " << kTickRateHz << " ticks a second." << std::endl;
  Demo demo(access, client, *match);
  if (const Status status = demo.join(); !status.ok())
    return fail("nobody can join on server " + server, status);
  if (const Status status = demo.play(time); !status.ok())
    return fail("the match broke on server " + server, status);
  const Result<MatchInfo> last = demo.finish();
  if (!last.ok()) return fail("the match cannot be ended", last.status());
  demo.print_summary(*last);
  if (interrupt_seen) return 130;
  if (demo.report().enters() == 0)
    return fail("the server is wrong", {ErrorCode::kInternal, "nobody met anybody"});
  if (demo.has_missed_events()) {
    std::cout << "The server was away in between: these counts are not of the whole match." << std::endl;
    return 0;
  }
  if (demo.report().enters() == demo.report().exits()) return 0;
  return fail("the server is wrong",
              {ErrorCode::kInternal, std::to_string(demo.report().enters()) + " enters, but " +
                                         std::to_string(demo.report().exits()) + " exits"});
}

}  // namespace
}  // namespace sweepd::demo

int main(int argc, char** argv) {
  CLI::App app("A match of two bots against a stage, on a running sweepd server.", "sweepd_demo");
  sweepd::demo::Access access;
  std::string match_id;
  bool is_to_create = false;
  std::uint32_t seconds = 20;
  app.add_option("--server", access.server, "The server")
      ->type_name("HOST:PORT")
      ->envname("SWEEPD_SERVER")
      ->capture_default_str();
  app.add_option("--seconds", seconds, "How long the match runs")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  app.add_option("--ca", access.ca_file, "Talk TLS to a server with a certificate of these (PEM)")
      ->type_name("FILE");
  app.add_option("--token-file", access.token_file, "The ticket of a backend that may create matches")
      ->type_name("FILE");
  app.add_option("--tickets", access.ticket_folder,
                 "A folder with player-1.token, player-2.token and stage.token, for those to join with")
      ->type_name("FOLDER");
  app.add_option("--match", match_id, "Play this one, of --create (default: a new one)")->type_name("MATCH");
  app.add_flag("--create", is_to_create, "Only create the match, and print its id");
  app.footer("Example:\n  sweepd_demo --server 127.0.0.1:7777 --seconds 20");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::cerr << "sweepd_demo: " << error.what() << " (see sweepd_demo --help)" << std::endl;
    return 2;
  }
  const auto remember = [](int) { sweepd::demo::interrupt_seen = true; };
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
  if (is_to_create) return sweepd::demo::create(access);
  return sweepd::demo::run(access, match_id, std::chrono::seconds(seconds));
}
