// SPDX-License-Identifier: MIT
#include "rpc/server.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <sys/resource.h>

#include <algorithm>
#include <future>
#include <thread>

#include "base/assert.h"
#include "rpc/budget_metrics.h"
#include "rpc/loop_server.h"
#include "runtime/telemetry/log.h"
#include "session/call_counts.h"
#include "verification/verifier_sandbox.h"

namespace sweepd::rpc {
namespace {

/// Of calls of reflection at once; the loops need none for theirs.
constexpr int kReflectionThreadsMax = 16;
constexpr std::chrono::seconds kGracePeriod{2};
constexpr std::chrono::seconds kSweepPeriod{1};
constexpr std::chrono::milliseconds kUnheardPeriod{20};
constexpr std::chrono::milliseconds kCapturePeriod{5};
constexpr std::chrono::milliseconds kOverdueMax{3};

std::uint64_t files_max() {
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
}

std::unique_ptr<session::Backend> make_backend(ServerOptions& options) {
  runtime::ClientLimits& clients = options.clients;
  if (clients.memory_max == 0) clients.memory_max = runtime::default_memory_max();
  return std::make_unique<session::Backend>(
      options.loops, options.matches_max,
      runtime::budget_limits(clients, files_max(), options.streams_max, options.matches_max), clients,
      options.verifier);
}

}  // namespace

Server::Server(ServerOptions options, const ServerEnvironment& environment)
    : options_(std::move(options)),
      backend_(make_backend(options_)),
      quota_("clients"),
      loop_ports_(options_.loops),
      acceptor_(
          std::make_unique<runtime::Acceptor>(backend_->budgets, backend_->connections, options_.fronts)),
      port_watchdog_(std::make_unique<runtime::PortWatchdog>(*acceptor_, backend_->connections,
                                                             environment.health, options_.port_watchdog)),
      certificates_(environment.certificates),
      metrics_(environment.metrics) {
  SWEEPD_ASSERT(options_.loops > 0);
  quota_.Resize(options_.clients.memory_max / 2);
  quota_.SetMaxThreads(static_cast<int>(options_.loops) + kReflectionThreadsMax);
  backend_->advertised = options_.advertised;
  backend_->has_loop_ports = has_loop_ports();
  backend_->tells_main_port = options_.has_loop_ports;
  backend_->health = environment.health;
  backend_->journal = environment.journal;
  backend_->replays = environment.replays;
  backend_->load_limits = options_.loop.load_limits;
  backend_->budget_maxima = options_.budget_maxima;
  if (certificates_ != nullptr) {
    acceptor_->limit_handshakes(
        {options_.clients.handshakes_per_second_max, options_.clients.handshakes_per_second_per_client_max});
  }
  if (metrics_ != nullptr) set_up_gauges();
}

Server::~Server() { SWEEPD_ASSERT(!is_serving_); }

void Server::set_up_gauges() {
  const auto add = [&](const char* name, const char* help, auto value) {
    gauges_.push_back(metrics_->computed_gauge(name, help, [value] { return static_cast<double>(value()); }));
  };
  const session::Backend& backend = *backend_;
  add("sweepd_matches", "Matches that run.", [&backend] { return backend.registry.size(); });
  add("sweepd_matches_max", "Matches that may run.", [&backend] { return backend.registry.matches_max(); });
  add("sweepd_streams", "Streams of Play, Watch and GetReplay, and watches of health.",
      [&backend] { return backend.budgets.taken(runtime::Resource::kStreams); });
  add("sweepd_streams_max", "Streams that may be.",
      [&backend] { return backend.budgets.limit(runtime::Resource::kStreams).in_all; });
  add("sweepd_file_reads_waiting", "Reads of replays that wait for their thread.",
      [&backend] { return backend.file_readers.waiting(); });
  add("sweepd_verifications_waiting", "Verifications of replays that wait for a verifier.",
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
      session::refusal_samples));
  add_budget_metrics(*metrics_, backend, *acceptor_, *port_watchdog_, gauges_);
}

// Once they are there, and until they go.
void Server::show_loops() {
  if (metrics_ == nullptr) return;
  std::vector<const runtime::Loop*> loops;
  for (session::MatchLoop* const loop : backend_->loops) loops.push_back(&loop->loop());
  loop_metrics_.emplace(*metrics_, std::move(loops));
}

/// While they run.
void Server::watch_loops() {
  std::vector<const runtime::LoopPulse*> pulses;
  for (session::MatchLoop* const loop : backend_->loops) pulses.push_back(&loop->loop().pulse());
  watchdog_.emplace(std::move(pulses), backend_->health);
  watchdog_thread_.emplace(*watchdog_);
  if (metrics_ == nullptr) return;
  watchdog_metrics_.push_back(metrics_->computed_counter(
      "sweepd_process_stalls_total", "How often the whole process stood still for a second or longer.",
      [this] { return static_cast<double>(watchdog_->process_stalls()); }));
  watchdog_metrics_.push_back(
      metrics_->computed_counter("sweepd_process_stall_seconds_total", "For how long it did so, in all.",
                                 [this] { return watchdog_->process_stall_seconds(); }));
}

void Server::show_load(std::size_t index, session::MatchLoopOptions& options) {
  if (!busy_ratios_) return;
  const std::string loop = std::to_string(index);
  options.on_load = [busy = busy_ratios_->with(loop),
                     lateness = latenesses_->with(loop)](const runtime::LoadReading& reading) mutable {
    busy.set(reading.busy_ratio);
    lateness.set(std::chrono::duration<double>(reading.lateness_p99).count());
  };
}

std::optional<std::string> Server::start(std::vector<runtime::RecoveredMatch> matches) {
  SWEEPD_ASSERT(!is_serving_ && servers_.empty());
  // Distributions ship Abseil with its search for lock cycles on: with every lock, gRPC's loops would meet at
  // one more, that of the whole process.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  if (auto error = listen()) return error;
  for (std::size_t i = 0; i < options_.loops; ++i) {
    if (!start_loop(i)) return "gRPC does not start";
  }
  tell_sandbox();
  show_loops();
  bring_back(std::move(matches));
  for (const auto& server : servers_) server->serve();
  watch_loops();
  watch_doors();
  guard_.start();
  acceptor_->start();
  port_watchdog_->start();
  is_serving_ = true;
  return std::nullopt;
}

/// Verifications go on without what the system does not have: they have a process and limits of their own.
void Server::tell_sandbox() {
  constexpr const char* kPart = "verifier_sandbox";
  const std::string missing = verification::available_sandbox().missing();
  if (!missing.empty()) {
    runtime::log_warning("verifiers of replays run with less protection", {{"missing", missing}});
  }
  if (backend_->health == nullptr) return;
  if (missing.empty()) return backend_->health->set_ok(kPart);
  backend_->health->set_failing(kPart, "the system has no " + missing);
}

// Before there are loops: until the acceptor starts, connections wait.
std::optional<std::string> Server::listen() {
  const auto to_loops_in_turn = [this, next = std::size_t{0}](int descriptor, bool is_own) mutable {
    servers_[next++ % servers_.size()]->take_connection(descriptor, is_own);
  };
  const auto port = acceptor_->listen(options_.listen.host, options_.listen.port, to_loops_in_turn);
  if (!port) return "cannot listen on " + options_.listen.to_string() + ": " + port.error();
  options_.listen.port = *port;
  loop_ports_.assign(options_.loops, *port);  // Without ports of their own.
  for (std::size_t i = 0; has_loop_ports() && i < options_.loops; ++i) {
    if (auto error = listen_for_loop(i)) return error;
  }
  return std::nullopt;
}

std::optional<std::string> Server::listen_for_loop(std::size_t index) {
  session::ListenAddress endpoint{options_.listen.host, 0};
  if (options_.loop_port_base != 0)
    endpoint.port = static_cast<std::uint16_t>(options_.loop_port_base + index);
  const auto to_loop = [this, index](int descriptor, bool is_own) {
    servers_[index]->take_connection(descriptor, is_own);
  };
  const auto port = acceptor_->listen(endpoint.host, endpoint.port, to_loop);
  if (!port) return "cannot listen on " + endpoint.to_string() + ": " + port.error();
  loop_ports_[index] = *port;
  return std::nullopt;
}

bool Server::start_loop(std::size_t index) {
  LoopServerOptions options{.streams_per_connection_max = options_.clients.streams_per_connection_max,
                            .certificates = certificates_,
                            .home = {.port = loop_ports_[index],
                                     .index = static_cast<std::uint32_t>(index),
                                     .idle_match_timeout = options_.idle_match_timeout,
                                     .journal = backend_->journal,
                                     .loop = options_.loop}};
  show_load(index, options.home);
  if (options_.loops > 1) options.home.move_matches_every = options_.move_matches_every;
  LoopServer& server = *servers_.emplace_back(std::make_unique<LoopServer>(*backend_, quota_));
  if (!server.start(std::move(options))) return false;
  backend_->loops.push_back(&server.home());
  return true;
}

// On a thread of its own: what keeps a loop or the acceptor busy must not keep memory from being watched.
void Server::watch_doors() {
  session::Backend& backend = *backend_;
  const auto note_ended = [&backend](std::size_t connections, const char* why) {
    if (connections == 0) return;
    backend.connections_ended.fetch_add(connections);
    runtime::log_warning(why, {{"connections", connections}});
  };
  backend.memory.on_ceiling([&backend, note_ended] {
    note_ended(backend.connections.end_heaviest(),
               "the ceiling of memory is reached: connections with most bytes of no message are ended");
  });
  guard_.every(runtime::MemoryGuard::kPeriod, [&backend] { backend.memory.measure(); });
  guard_.every(kUnheardPeriod, [&backend, note_ended] {
    note_ended(backend.connections.end_unruly_if_due(),
               "connections that send no whole message, or have too many calls, are ended");
  });
  guard_.every(kCapturePeriod, [this, note_ended] {
    note_ended(end_captors(), "connections that kept a loop from its ticks are ended");
  });
  guard_.every(kSweepPeriod, [&backend] { backend.connections.sweep(); });
}

std::size_t Server::end_captors() {
  using runtime::ConnectionTable;
  ConnectionTable& connections = backend_->connections;
  const runtime::TimePoint now = runtime::steady_now();
  std::size_t ended = 0;
  for (session::MatchLoop* const home : backend_->loops) {
    const runtime::Loop& loop = home->loop();
    const auto turn = loop.pulse().last_beat();
    if (loop.pulse().overdue(now) > kOverdueMax)
      ended += connections.end_captors({static_cast<std::uint32_t>(home->index()), turn, loop.cpu_time()});
  }
  const auto since = acceptor_->takes_since();
  if (since != 0 && now.time_since_epoch() - runtime::Duration(since) > kOverdueMax)
    ended += connections.end_captors({ConnectionTable::kAcceptor, since, acceptor_->cpu_time()});
  return ended;
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
  port_watchdog_->stop();
  acceptor_->stop();
  guard_.stop();
  // No match moves from here on: streams are ended loop by loop, and none may slip by.
  { const std::scoped_lock last_move(backend_->moves.mutex); }
  for (session::MatchLoop* const loop : backend_->loops) loop->end_streams();
  // Nobody waits for what takes long.
  if (backend_->journal != nullptr) backend_->journal->settle_all();
  if (backend_->replays != nullptr) backend_->replays->shut_down();
  backend_->verifiers.stop();  // The loops have told, or soon tell, the one that runs to give up.
  const auto deadline = std::chrono::system_clock::now() + kGracePeriod;
  for (const auto& server : servers_) server->shut_down(deadline);
  // By now every call has ended, but the loops may have yet to hear of it; and a call may be between two
  // loops.
  const auto is_quiet = [](const session::MatchLoop* loop) { return loop->calls() == 0; };
  while (!std::ranges::all_of(backend_->loops, is_quiet))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  watchdog_metrics_.clear();
  watchdog_thread_.reset();
  for (const auto& server : servers_) server->join();
  loop_metrics_.reset();
  backend_->loops.clear();
  servers_.clear();
  is_serving_ = false;
}

}  // namespace sweepd::rpc
