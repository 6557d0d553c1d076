// SPDX-License-Identifier: MIT
//
// What gRPC alone carries on one core: streams that send messages of the size of a W1 player's frames 60
// times a second, to a server that does nothing with them but to answer each (echo), or to answer every tick
// (tick). It is the peer beside which sweepd is measured: the server on one core, the load on the other.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>

#include "bench/grpc_echo_load.h"
#include "bench/grpc_echo_message.h"
#include "bench/grpc_echo_process.h"
#include "os/file_limit.h"

namespace sweepd::bench {
namespace {

struct EchoOptions {
  std::string mode = "echo";
  std::size_t streams = 0;  ///< 0: search.
  std::size_t message_bytes = 330;
  std::size_t answer_bytes = 25;
  double seconds = 3;
  double bound_ms = 5;
  std::size_t step = 20;
  int server_core = 0;
  int load_core = 1;
  int port = 0;
  std::string json;
  bool is_server = false;
};

EchoMode mode_of(const EchoOptions& options) {
  return options.mode == "tick" ? EchoMode::kTick : EchoMode::kEcho;
}

std::string to_json(const Spread& spread) {
  std::ostringstream out;
  out << "{\"p50\": " << spread.p50 << ", \"p99\": " << spread.p99 << ", \"p999\": " << spread.p999 << "}";
  return out.str();
}

std::string to_json(const EchoFigures& figures, double bound_ms) {
  std::ostringstream out;
  out << "{\"streams\": " << figures.streams
      << ", \"holds\": " << (figures.holds(bound_ms) ? "true" : "false")
      << ", \"messages_per_second\": " << figures.messages_per_second
      << ", \"answers_per_second\": " << figures.answers_per_second
      << ", \"server_us_per_message\": " << figures.server_us_per_message
      << ", \"server_cpu\": " << figures.server_cpu << ", \"load_cpu\": " << figures.load_cpu
      << ", \"server_resident_bytes\": " << static_cast<std::uint64_t>(figures.server_resident_bytes)
      << ", \"round_trip_ms\": " << to_json(figures.round_trip)
      << ", \"beyond_tick_ms\": " << to_json(figures.beyond_tick)
      << ", \"tick_lateness_ms\": " << to_json(figures.tick_lateness)
      << ", \"unread_age_ms\": " << to_json(figures.unread_age)
      << ", \"send_lateness_ms\": " << to_json(figures.send_lateness) << "}";
  return out.str();
}

void print(const EchoFigures& figures, double bound_ms) {
  std::printf("%7zu streams %8.0f messages/s  round trip p50 %6.2f p99 %6.2f ms", figures.streams,
              figures.messages_per_second, figures.round_trip.p50, figures.round_trip.p99);
  if (figures.has_ticks) {
    std::printf("  beyond the tick p99 %6.2f  late p99 %6.2f  unread p99 %6.2f", figures.beyond_tick.p99,
                figures.tick_lateness.p99, figures.unread_age.p99);
  }
  std::printf("  server %5.2f us/message, %3.0f%% of a core; load %3.0f%%  %s\n",
              figures.server_us_per_message, figures.server_cpu * 100, figures.load_cpu * 100,
              figures.holds(bound_ms) ? "holds" : "does not hold");
}

int measure(const EchoOptions& options) {
  const std::string port = std::to_string(options.port != 0 ? options.port : find_free_port());
  const ChildProcess server({"--serve", "--mode", options.mode, "--port", port, "--answer-bytes",
                             std::to_string(options.answer_bytes)},
                            options.server_core);
  stay_on_core(options.load_core);
  const EchoLoadOptions load{.target = "127.0.0.1:" + port,
                             .mode = mode_of(options),
                             .streams = options.streams,
                             .message_bytes = options.message_bytes,
                             .seconds = options.seconds,
                             .server_process = server.id()};
  std::vector<EchoFigures> tried;
  EchoFigures best;
  if (options.streams > 0) {
    best = load_echo(load);
    tried.push_back(best);
  } else {
    best = find_most_streams(load, options.bound_ms, options.step, tried);
  }
  std::printf(
      "of every message (sweepctl load: of two a second and client), from when it is handed to gRPC%s\n",
      load.mode == EchoMode::kTick ? "; ticks are due when their stream's fastest answer says so" : "");
  for (const EchoFigures& figures : tried) print(figures, options.bound_ms);
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << "{\"mode\": \"" << options.mode << "\", \"message_bytes\": " << options.message_bytes
         << ", \"answer_bytes\": " << options.answer_bytes << ", \"bound_ms\": " << options.bound_ms
         << ", \"best\": " << to_json(best, options.bound_ms) << ", \"tried\": [";
    for (std::size_t i = 0; i < tried.size(); ++i)
      file << (i == 0 ? "" : ", ") << to_json(tried[i], options.bound_ms);
    file << "]}\n";
  }
  return tried.back().has_failed ? 1 : 0;
}

int serve(const EchoOptions& options) {
  if (serve_echo({options.port, mode_of(options), options.answer_bytes})) return 0;
  std::cerr << "grpc_echo: cannot listen on port " << options.port << '\n';
  return 1;
}

void add_options(CLI::App& app, EchoOptions& options) {
  const CLI::Range message_range(sizeof(EchoHeader), std::size_t{1} << 20);
  app.add_option("--mode", options.mode,
                 "echo: each message has an answer; tick: each stream has one 60 times a second")
      ->check(CLI::IsMember({"echo", "tick"}));
  app.add_option("--streams", options.streams, "0: search for the most that hold the bound");
  app.add_option("--message-bytes", options.message_bytes)->check(message_range);
  app.add_option("--answer-bytes", options.answer_bytes)->check(message_range);
  app.add_option("--seconds", options.seconds, "of a trial, after one to warm up")
      ->check(CLI::Range(0.1, 600.0));
  app.add_option("--bound-ms", options.bound_ms, "of every p99")->check(CLI::PositiveNumber);
  app.add_option("--step", options.step, "how close the search comes, streams")->check(CLI::Range(4, 10'000));
  app.add_option("--server-core", options.server_core, "-1: any");
  app.add_option("--load-core", options.load_core, "-1: any");
  app.add_option("--port", options.port, "0: any free one")->check(CLI::Range(0, 65535));
  app.add_option("--json", options.json, "write the figures here");
  app.add_flag("--serve", options.is_server, "only the server, until it is ended");
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  CLI::App app("What gRPC alone carries on one core");
  sweepd::bench::EchoOptions options;
  sweepd::bench::add_options(app, options);
  CLI11_PARSE(app, argc, argv);
  (void)sweepd::os::raise_file_limit();
  return options.is_server ? sweepd::bench::serve(options) : sweepd::bench::measure(options);
}
