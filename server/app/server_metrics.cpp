// SPDX-License-Identifier: MIT
#include "app/server_metrics.h"

#include <chrono>
#include <string>
#include <utility>

#include "session/call_counts.h"
#include "session/match_loop.h"

namespace sweepd::app {
namespace {

using runtime::Resource;
using runtime::Sample;

std::vector<Sample> open_streams(const session::Backend& backend) {
  return {{{{"rpc", "Play"}}, static_cast<double>(backend.play_streams.load())},
          {{{"rpc", "Watch"}}, static_cast<double>(backend.watch_streams.load())}};
}

std::vector<Sample> connection_refusals(const runtime::Acceptor& acceptor) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < runtime::kConnectionRefusals; ++i) {
    const auto refusal = static_cast<runtime::ConnectionRefusal>(i);
    samples.push_back(
        {{{"reason", std::string(name_of(refusal))}}, static_cast<double>(acceptor.refusals(refusal))});
  }
  return samples;
}

/// Of what calls and frames ask for: connections are counted apart. By kinds of keys, never by keys, of which
/// there is no end.
std::vector<Sample> budget_refusals(const runtime::Budgets& budgets) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < runtime::kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (resource == Resource::kConnections || resource == Resource::kReplayBytes) continue;
    const auto add = [&](std::optional<runtime::KeyKind> kind, std::string_view key) {
      samples.push_back({{{"key", std::string(key)},
                          {"resource", std::string(name_of(resource))},
                          {"scope", kind ? "client" : "server"}},
                         static_cast<double>(budgets.refusals(resource, kind))});
    };
    for (const runtime::KeyKind kind : runtime::kAllKeyKinds) add(kind, name_of(kind));
    if (is_held(resource)) add(std::nullopt, "server");
  }
  return samples;
}

}  // namespace

ServerMetrics::ServerMetrics(runtime::Metrics& metrics, const session::Backend& backend,
                             const runtime::Acceptor& acceptor, const runtime::PortWatchdog& watchdog)
    : metrics_(metrics),
      loops_(backend.loops),
      busy_ratios_(metrics.gauges("sweepd_loop_busy_ratio",
                                  "Share of the last second in which the loop was busy.", "loop")),
      latenesses_(metrics.gauges("sweepd_loop_tick_lateness_seconds",
                                 "How late the loop's ticks began in the last second, p99.", "loop")) {
  show_work(backend);
  show_budgets(backend);
  show_connections(backend, acceptor, watchdog);
}

void ServerMetrics::add_gauge(const char* name, const char* help, auto value) {
  shown_.push_back(metrics_.computed_gauge(name, help, [value] { return static_cast<double>(value()); }));
}

void ServerMetrics::add_counter(const char* name, const char* help, auto value) {
  shown_.push_back(metrics_.computed_counter(name, help, [value] { return static_cast<double>(value()); }));
}

void ServerMetrics::show_work(const session::Backend& backend) {
  add_gauge("sweepd_matches", "Matches that run.", [&backend] { return backend.registry.size(); });
  add_gauge("sweepd_matches_max", "Matches that may run.",
            [&backend] { return backend.registry.matches_max(); });
  add_gauge("sweepd_file_reads_waiting", "Reads of replays that wait for their thread.",
            [&backend] { return backend.file_readers.waiting(); });
  add_gauge("sweepd_verifications_waiting", "Verifications of replays that wait for a verifier.",
            [&backend] { return backend.verifiers.waiting(); });
  add_gauge("sweepd_verification_uploads", "Replays that are being sent to be verified.",
            [&backend] { return backend.uploads.taken(); });
  shown_.push_back(metrics_.computed_gauges("sweepd_open_streams", "Streams, by the rpc.",
                                            [&backend] { return open_streams(backend); }));
  shown_.push_back(metrics_.computed_counters(
      "sweepd_calls_refused_total",
      "Calls and streams that ended with another status than OK, and who was refused "
      "on a shared one.",
      session::refusal_samples));
}

void ServerMetrics::show_budgets(const session::Backend& backend) {
  const runtime::Budgets& budgets = backend.budgets;
  add_gauge("sweepd_streams", "Streams of Play, Watch and GetReplay, and watches of health.",
            [&budgets] { return budgets.taken(Resource::kStreams); });
  add_gauge("sweepd_streams_max", "Streams that may be.",
            [&budgets] { return budgets.limit(Resource::kStreams).in_all; });
  add_gauge("sweepd_connections", "Connections of clients.",
            [&budgets] { return budgets.taken(Resource::kConnections); });
  add_gauge("sweepd_connections_max", "Connections that may be.",
            [&budgets] { return budgets.limit(Resource::kConnections).in_all; });
  add_gauge("sweepd_calls", "Calls with one answer that are under way.",
            [&budgets] { return budgets.taken(Resource::kCalls); });
  add_gauge("sweepd_message_bytes", "Large requests that are worked on and large answers that are not taken.",
            [&budgets] { return budgets.taken(Resource::kBytes); });
  shown_.push_back(metrics_.computed_counters(
      "sweepd_budget_refusals_total",
      "Calls, streams and frames that were refused by what their client (by its address, its subject, as a "
      "backend or by its tenant), or all clients, may take.",
      [&budgets] { return budget_refusals(budgets); }));
}

void ServerMetrics::show_connections(const session::Backend& backend, const runtime::Acceptor& acceptor,
                                     const runtime::PortWatchdog& watchdog) {
  add_gauge("sweepd_memory_bytes", "Resident memory of the process.",
            [&backend] { return backend.memory.bytes(); });
  add_gauge("sweepd_memory_max_bytes", "Its ceiling; from nine tenths of it on new work is refused.",
            [&backend] { return backend.memory.bytes_max(); });
  add_counter("sweepd_answers_not_taken_total",
              "Answers that were cancelled as their clients did not take them.",
              [&backend] { return backend.answers_not_taken.load(); });
  add_counter("sweepd_connections_ended_total",
              "Connections that were ended: they sent much and no whole message.",
              [&backend] { return backend.connections_ended.load(); });
  add_counter("sweepd_port_probe_failures_total", "Connections of the server to its own ports that failed.",
              [&watchdog] { return watchdog.failures(); });
  shown_.push_back(metrics_.computed_counters("sweepd_connections_refused_total",
                                              "Connections that were closed as soon as they came.",
                                              [&acceptor] { return connection_refusals(acceptor); }));
}

std::function<void(const runtime::LoadReading&)> ServerMetrics::on_load(std::size_t loop) {
  const std::string label = std::to_string(loop);
  return [busy = busy_ratios_.with(label),
          lateness = latenesses_.with(label)](const runtime::LoadReading& reading) mutable {
    busy.set(reading.busy_ratio);
    lateness.set(std::chrono::duration<double>(reading.lateness_p99).count());
  };
}

void ServerMetrics::show_loops(const runtime::LoopWatchdog& watchdog) {
  std::vector<const runtime::Loop*> loops;
  for (session::MatchLoop* const loop : loops_) loops.push_back(&loop->loop());
  loop_metrics_.emplace(metrics_, std::move(loops));
  watchdog_metrics_.push_back(metrics_.computed_counter(
      "sweepd_process_stalls_total", "How often the whole process stood still for a second or longer.",
      [&watchdog] { return static_cast<double>(watchdog.process_stalls()); }));
  watchdog_metrics_.push_back(
      metrics_.computed_counter("sweepd_process_stall_seconds_total", "For how long it did so, in all.",
                                [&watchdog] { return watchdog.process_stall_seconds(); }));
}

void ServerMetrics::hide_loops() {
  watchdog_metrics_.clear();
  loop_metrics_.reset();
}

}  // namespace sweepd::app
