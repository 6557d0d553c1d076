// SPDX-License-Identifier: MIT
//
// What others notice of hostile clients: one attack after the other, each against a real server process of
// its own, and a row of a Markdown table for each. It asks for nothing that only newer servers have, so that
// it measures older ones, too; what one of them does not tell is "-". An attack ends early when the server
// has 3 GiB, and the server at 8.
//
// Two neighbours, one for each loop, play matches of their own; the table has the worse. The attacker is a
// process of low priority, so that it takes no core that the server needs.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "bench/attack.h"
#include "bench/attack_server.h"
#include "bench/attack_witness.h"
#include "bench/grpc_echo_process.h"
#include "os/file_limit.h"

namespace sweepd::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr double kMebibyte = 1 << 20;
constexpr double kAttackEndsAtMib = 3 * 1024;
constexpr double kServerEndsAtMib = 8 * 1024;
constexpr milliseconds kAttackerGrace{5'000};
constexpr milliseconds kSettleTime{30'000};

struct TableOptions {
  std::string server;
  std::string only;
  double seconds = 5;
  std::vector<std::string> server_options;
  std::string attack;  ///< This process is the attacker.
  int port = 0;
  int door = 0;
};

struct AttackFigures {
  double gap_p99_ms = 0;
  double gap_max_ms = 0;
  std::optional<double> lateness_p99_ms;
  double memory_mib_most = 0;
  int answered = 0;
  int asked = 0;
  std::string end;
};

std::vector<Attack> all_attacks() {
  std::vector<Attack> all;
  for (const auto& attacks : {frame_attacks(), match_attacks(), event_attacks(), maxima_attacks(),
                              answer_attacks(), connection_attacks()})
    all.insert(all.end(), attacks.begin(), attacks.end());
  std::ranges::sort(all, {}, &Attack::name);
  return all;
}

double percentile_99(const std::vector<double>& sorted) {
  return sorted.empty() ? 0 : sorted[(sorted.size() - 1) * 99 / 100];
}

/// One attack while it is measured.
class Measurement {
 public:
  Measurement(AttackedServer& server, const Attack& attack, double seconds)
      : server_(server),
        neighbours_{AttackNeighbour(server.witnessed()), AttackNeighbour(server.witnessed())} {
    // How neighbours begin is not what is measured.
    std::this_thread::sleep_for(milliseconds(500));
    for (AttackNeighbour& neighbour : neighbours_) neighbour.begin();
    HonestClient honest(server.witnessed(), neighbours_[0].match_id());
    strike(attack, seconds);
    settle();
    honest.stop();
    figures_.answered = honest.answered();
    figures_.asked = honest.asked();
    judge();
  }

  const AttackFigures& figures() const { return figures_; }

 private:
  void strike(const Attack& attack, double seconds) {
    test::Process attacker({"/usr/bin/nice", "-n", "10", std::filesystem::read_symlink("/proc/self/exe"),
                            "--attack", attack.name, "--port", std::to_string(server_.port()), "--door",
                            std::to_string(server_.door()), "--seconds", std::to_string(seconds)},
                           server_.folder() / "attacker");
    const auto latest =
        Clock::now() + milliseconds(static_cast<std::int64_t>(seconds * 1'000)) + kAttackerGrace;
    while (attacker.is_running() && Clock::now() < latest && watch_memory() < kAttackEndsAtMib)
      std::this_thread::sleep_for(milliseconds(5));
  }

  /// Until all neighbours are told of ticks again.
  void settle() {
    const auto latest = Clock::now() + kSettleTime;
    std::vector<Tick> ticks;
    for (const AttackNeighbour& neighbour : neighbours_) ticks.push_back(neighbour.tick());
    const auto play_on = [&] {
      for (std::size_t i = 0; i < ticks.size(); ++i)
        if (neighbours_[i].tick() < ticks[i] + 2) return false;
      return true;
    };
    while (server_.process().is_running() && !play_on() && Clock::now() < latest) {
      watch_memory();
      std::this_thread::sleep_for(milliseconds(5));
    }
  }

  double watch_memory() {
    const double now_mib = static_cast<double>(test::resident_bytes_of(server_.process())) / kMebibyte;
    figures_.memory_mib_most = std::max(figures_.memory_mib_most, now_mib);
    if (now_mib > kServerEndsAtMib) server_.process().signal(SIGKILL);
    return now_mib;
  }

  void judge() {
    const bool is_alive = server_.process().is_running();
    figures_.end = is_alive ? "alive" : "**dead**";
    for (AttackNeighbour& neighbour : neighbours_) {
      neighbour.stop();
      figures_.gap_p99_ms = std::max(figures_.gap_p99_ms, percentile_99(neighbour.lateness_ms()));
      figures_.gap_max_ms = std::max(figures_.gap_max_ms, neighbour.lateness_ms().back());
      if (!is_alive) continue;
      judge_ticks_of(neighbour);
      if (const Status error = neighbour.error(); !error.ok())
        figures_.end =
            "alive, **a neighbour is out**: " + (error.reason().empty() ? error.message() : error.reason());
    }
  }

  void judge_ticks_of(const AttackNeighbour& neighbour) {
    const auto match = match_of(server_.witnessed(), neighbour.match_id());
    if (!match.ok()) figures_.end = "**gives no answer**";
    if (!match.ok() || !match->timing) return;
    const double lateness_ms = static_cast<double>(match->timing->lateness_p99.count()) / 1'000;
    figures_.lateness_p99_ms = std::max(figures_.lateness_p99_ms.value_or(0), lateness_ms);
  }

  AttackedServer& server_;
  std::array<AttackNeighbour, 2> neighbours_;
  AttackFigures figures_;
};

void print_row(const Attack& attack, const AttackFigures& figures) {
  char lateness[32] = "-";
  if (figures.lateness_p99_ms) std::snprintf(lateness, sizeof lateness, "%.1f", *figures.lateness_p99_ms);
  std::printf("| %s: %s | %.1f | %.0f | %s | %.0f | %d of %d | %s |\n", attack.name.c_str(),
              attack.what.c_str(), figures.gap_p99_ms, figures.gap_max_ms, lateness, figures.memory_mib_most,
              figures.answered, figures.asked, figures.end.c_str());
  std::fflush(stdout);
}

void print_head() {
  std::puts(
      "| attack | gap p99 beyond the tick, ms | longest gap, ms | tick lateness p99, ms | "
      "RSS, MiB | answered calls | server |");
  std::puts("|---|---|---|---|---|---|---|");
}

/// Why an attack cannot be made on a server of that age; null: it can.
const char* lack_of(const ServerBinary& binary, const Attack& attack) {
  if (attack.is_front && !binary.knows("--trust-front")) return "knows no front";
  if (attack.is_tls && !binary.knows("--tls-cert")) return "knows no TLS";
  return nullptr;
}

int measure(const TableOptions& options) {
  const ServerBinary binary(options.server);
  print_head();
  for (const Attack& attack : all_attacks()) {
    if (!attack.name.starts_with(options.only)) continue;
    if (const char* lack = lack_of(binary, attack)) {
      std::printf("| %s: %s | - | - | - | - | - | %s |\n", attack.name.c_str(), attack.what.c_str(), lack);
      continue;
    }
    AttackedServer server(binary, options.server_options, attack);
    print_row(attack, Measurement(server, attack, options.seconds).figures());
  }
  return 0;
}

int strike(const TableOptions& options) {
  for (const Attack& attack : all_attacks()) {
    if (attack.name != options.attack) continue;
    const std::chrono::duration<double> time(options.seconds);
    attack.run({.port = options.port,
                .door = options.door,
                .is_tls = attack.is_front || attack.is_tls,
                .end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time)});
  }
  return 0;
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  using namespace sweepd::bench;
  CLI::App app("What others notice of hostile clients");
  TableOptions options;
  app.add_option("--server", options.server, "Path of sweepd, of any age");
  app.add_option("--only", options.only, "Attacks whose names begin with this");
  app.add_option("--seconds", options.seconds, "How long each attack goes on")->check(CLI::Range(0.1, 600.0));
  app.add_option("options", options.server_options, "After --: further options of the server");
  app.add_option("--attack", options.attack)->group("");
  app.add_option("--port", options.port)->group("");
  app.add_option("--door", options.door)->group("");
  CLI11_PARSE(app, argc, argv);
  signal(SIGPIPE, SIG_IGN);
  sweepd::os::raise_file_limit();
  try {
    return options.attack.empty() ? measure(options) : strike(options);
  } catch (const std::exception& error) {
    std::cerr << "attack_table: " << error.what() << '\n';
    return 1;
  }
}
