// SPDX-License-Identifier: MIT
#include "rpc/server.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>

#include <algorithm>
#include <future>
#include <thread>

#include "base/assert.h"
#include "rpc/call_counts.h"
#include "rpc/loop_server.h"

namespace sweepd::rpc {
namespace {

constexpr std::chrono::seconds kGracePeriod{2};

}  // namespace

std::vector<runtime::LoadReading> Backend::loads() const {
  std::vector<runtime::LoadReading> readings;
  for (const auto& loop : loops) readings.push_back(loop->loop().load().reading());
  return readings;
}

Server::Server(ServerOptions options, const ServerEnvironment& environment)
    : options_(std::move(options)),
      backend_(std::make_unique<Backend>(options_.loops, options_.matches_max, options_.streams_max,
                                         options_.verifier)),
      metrics_(environment.metrics) {
  SWEEPD_ASSERT(options_.loops > 0);
  backend_->advertised_host = options_.advertised_host;
  backend_->health = environment.health;
  backend_->journal = environment.journal;
  backend_->replays = environment.replays;
  backend_->load_limits = options_.loop.load_limits;
  if (metrics_ != nullptr) set_up_gauges();
}

Server::~Server() { SWEEPD_ASSERT(!is_serving_); }

void Server::set_up_gauges() {
  const auto add = [&](const char* name, const char* help, auto value) {
    gauges_.push_back(metrics_->computed_gauge(name, help, [value] { return static_cast<double>(value()); }));
  };
  const Backend& backend = *backend_;
  add("sweepd_matches", "Matches that run.", [&backend] { return backend.registry.size(); });
  add("sweepd_matches_max", "Matches that may run.", [&backend] { return backend.registry.matches_max(); });
  add("sweepd_streams", "Streams of Play and Watch, and watches of health.",
      [&backend] { return backend.streams.load(); });
  add("sweepd_streams_max", "Streams that may be.", [&backend] { return backend.streams_max; });
  add("sweepd_file_reads_waiting", "Reads of replays that wait for their thread.",
      [&backend] { return backend.file_readers.waiting(); });
  add("sweepd_verifications_waiting", "Verifications of replays that wait for the one that runs.",
      [&backend] { return backend.verifiers.waiting(); });
  add("sweepd_verification_uploads", "Replays that are being sent to be verified.",
      [&backend] { return backend.uploads.taken(); });
  gauges_.push_back(metrics_->computed_gauges(
      "sweepd_open_streams", "Streams, by the rpc.", [&backend]() -> std::vector<runtime::Sample> {
        return {{{{"rpc", "Play"}}, static_cast<double>(backend.play_streams.load())},
                {{{"rpc", "Watch"}}, static_cast<double>(backend.watch_streams.load())}};
      }));
  busy_ratios_ = metrics_->gauges("sweepd_loop_busy_ratio",
                                  "Share of the last second in which the loop was busy.", "loop");
  latenesses_ = metrics_->gauges("sweepd_loop_tick_lateness_seconds",
                                 "How late the loop's ticks began in the last second, p99.", "loop");
  gauges_.push_back(metrics_->computed_counters(
      "sweepd_calls_refused_total",
      "Calls and streams that ended with another status than OK, and who was refused "
      "on a shared one.",
      refusal_samples));
}

// Once they are there, and until they go.
void Server::show_loops() {
  if (metrics_ == nullptr) return;
  std::vector<const runtime::Loop*> loops;
  for (const auto& loop : backend_->loops) loops.push_back(&loop->loop());
  loop_metrics_.emplace(*metrics_, std::move(loops));
}

void Server::show_load(std::size_t index, LoopServerOptions& options) {
  if (!busy_ratios_) return;
  const std::string loop = std::to_string(index);
  options.on_load = [busy = busy_ratios_->with(loop),
                     lateness = latenesses_->with(loop)](const runtime::LoadReading& reading) mutable {
    busy.set(reading.busy_ratio);
    lateness.set(std::chrono::duration<double>(reading.lateness_p99).count());
  };
}

std::optional<std::string> Server::start(std::vector<runtime::RecoveredMatch> matches) {
  SWEEPD_ASSERT(!is_serving_ && backend_->loops.empty());
  // Distributions ship Abseil with its search for lock cycles on: with every lock, gRPC's loops would meet at
  // one more, that of the whole process.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  if (options_.listen.port != 0) {
    if (const auto obstacle = find_obstacle(options_.listen)) {
      return "cannot listen on " + options_.listen.to_string() + ": " + *obstacle;
    }
  }
  for (std::size_t i = 0; i < options_.loops; ++i) {
    if (auto error = start_loop(i)) return error;
  }
  show_loops();
  bring_back(std::move(matches));
  for (const auto& loop : backend_->loops) loop->serve();
  is_serving_ = true;
  return std::nullopt;
}

std::uint16_t Server::endpoint_port(std::size_t index) const {
  if (options_.loop_port_base == 0) return 0;
  return static_cast<std::uint16_t>(options_.loop_port_base + index);
}

std::optional<std::string> Server::start_loop(std::size_t index) {
  LoopServerOptions loop_options{.addresses = {options_.listen.to_string()},
                                 .idle_match_timeout = options_.idle_match_timeout,
                                 .journal = backend_->journal,
                                 .index = static_cast<std::uint32_t>(index),
                                 .loop = options_.loop};
  show_load(index, loop_options);
  if (options_.loops > 1) {  // Of one loop, the main address is the endpoint.
    loop_options.move_matches_every = options_.move_matches_every;
    const ListenAddress endpoint{options_.listen.host, endpoint_port(index)};
    const auto obstacle = endpoint.port == 0 ? std::nullopt : find_obstacle(endpoint);
    if (obstacle) return "cannot listen on " + endpoint.to_string() + ": " + *obstacle;
    loop_options.addresses.push_back(endpoint.to_string());
  }
  auto& loop = backend_->loops.emplace_back(std::make_unique<LoopServer>(*backend_));
  if (!loop->start(loop_options)) return "cannot listen on " + loop_options.addresses.back();
  // The first has chosen the port, where that was left open; the others share it.
  options_.listen.port = static_cast<std::uint16_t>(loop->ports().front());
  return std::nullopt;
}

/// Before anybody can be told of their new epochs these have to be on the disk, or the next crash would not
/// know what it undoes.
void Server::bring_back(std::vector<runtime::RecoveredMatch> matches) {
  std::promise<void> settled;
  runtime::Journal::Position last = 0;
  for (runtime::RecoveredMatch& match : matches) {
    const runtime::MatchPlace place = backend_->registry.add(match.origin.id);
    runtime::MatchHost& host = backend_->loops[place.loop]->matches().add(std::move(match));
    last = std::max(last, host.journal_position());
  }
  if (backend_->journal == nullptr) return;
  backend_->journal->when_settled(last, [&settled] { settled.set_value(); });
  settled.get_future().wait();
}

void Server::stop() {
  SWEEPD_ASSERT(is_serving_);
  backend_->is_shutting_down = true;
  // No match moves from here on: streams are ended loop by loop, and none may slip by.
  { const std::scoped_lock last_move(backend_->moves.mutex); }
  for (const auto& loop : backend_->loops) loop->end_streams();
  // Nobody waits for what takes long.
  if (backend_->journal != nullptr) backend_->journal->settle_all();
  if (backend_->replays != nullptr) backend_->replays->shut_down();
  backend_->verifiers.stop();  // The loops have told, or soon tell, the one that runs to give up.
  const auto deadline = std::chrono::system_clock::now() + kGracePeriod;
  for (const auto& loop : backend_->loops) loop->shut_down_server(deadline);
  // By now every call has ended, but the loops may have yet to hear of it; and a call may be between two
  // loops.
  const auto is_quiet = [](const auto& loop) { return loop->calls() == 0; };
  while (!std::ranges::all_of(backend_->loops, is_quiet))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const auto& loop : backend_->loops) loop->join();
  loop_metrics_.reset();
  backend_->loops.clear();
  is_serving_ = false;
}

}  // namespace sweepd::rpc
