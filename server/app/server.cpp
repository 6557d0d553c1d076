// SPDX-License-Identifier: MIT
#include "app/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <future>
#include <thread>

#include "base/assert.h"
#include "runtime/telemetry/log.h"
#include "session/subject_key.h"
#include "verification/verifier_sandbox.h"

namespace sweepd::app {
namespace {

constexpr std::chrono::seconds kGracePeriod{2};

std::uint64_t files_max() {
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
}

std::unique_ptr<session::Backend> make_backend(ServerOptions& options) {
  runtime::ClientLimits& clients = options.clients;
  clients.verifications_per_client_max = options.verifier.calls_per_peer;
  if (clients.memory_max == 0) clients.memory_max = runtime::default_memory_max(options.loops);
  return std::make_unique<session::Backend>(
      options.loops, options.matches_max,
      runtime::budget_limits(clients, files_max(), options.streams_max, options.matches_max), clients,
      options.verifier);
}

}  // namespace

Server::Server(ServerOptions options, session::Door& door, const ServerEnvironment& environment)
    : options_(std::move(options)),
      backend_(make_backend(options_)),
      ticket_keys_(backend_->gate, options_.tickets, environment.health, environment.metrics),
      certificates_(environment.certificates),
      door_(door),
      side_door_(environment.side_door),
      loop_ports_(options_.loops),
      acceptor_(backend_->budgets, backend_->connections, options_.fronts),
      port_watchdog_(acceptor_, backend_->connections, environment.health, options_.port_watchdog),
      guard_(*backend_, acceptor_) {
  SWEEPD_ASSERT(options_.loops > 0);
  backend_->health = environment.health;
  backend_->journal = environment.journal;
  backend_->replays = environment.replays;
  backend_->load_limits = options_.loop.load_limits;
  backend_->budget_maxima = options_.budget_maxima;
  backend_->reload_keys = [this] { return reload(); };
  if (environment.certificates != nullptr) {
    acceptor_.limit_handshakes(
        {options_.clients.handshakes_per_second_max, options_.clients.handshakes_per_second_per_client_max});
  }
  if (environment.metrics != nullptr)
    metrics_.emplace(*environment.metrics, *backend_, acceptor_, port_watchdog_);
}

Server::~Server() { SWEEPD_ASSERT(!is_serving_); }

std::optional<std::string> Server::start(std::vector<runtime::RecoveredMatch> matches) {
  SWEEPD_ASSERT(!is_serving_ && doors_.empty());
  if (auto error = ticket_keys_.load()) return error;
  if (auto error = read_rules()) return error;
  if (auto error = listen()) return error;
  auto doors = door_.make_parts(options_.loops, options_.clients);
  if (!doors) return doors.error();
  doors_ = std::move(*doors);
  if (side_door_ != nullptr) side_doors_ = side_door_->make_parts(options_.loops, options_.clients);
  if (auto error = open_admin()) return error;
  for (std::size_t i = 0; i < options_.loops; ++i) make_loop(i);
  tell_sandbox();
  bring_back(std::move(matches));
  for (std::size_t i = 0; i < options_.loops; ++i) doors_[i]->open(*loops_[i]);
  open_side();
  if (admin_door_) admin_door_->open(*loops_.front());
  for (const auto& loop : loops_) loop->serve();
  watch_loops();
  guard_.start();
  ticket_keys_.watch();
  acceptor_.start();
  if (admin_socket_) admin_socket_->start();
  port_watchdog_.start();
  is_serving_ = true;
  return std::nullopt;
}

std::optional<std::string> Server::read_rules() {
  if (options_.rules_folder.empty()) return std::nullopt;
  auto rules = session::OfficialRules::read(options_.rules_folder, options_.budget_maxima);
  if (!rules) return "--rules-dir: " + rules.error();
  backend_->rules = std::move(*rules);
  backend_->refuses_unranked = options_.refuses_unranked;
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

base::Result<std::size_t, std::string> Server::reload() {
  if (certificates_ != nullptr) certificates_->reload();
  return ticket_keys_.reload();
}

/// A socket, or a port as clients have, whose connections go to the admin's part of the door.
std::optional<std::string> Server::listen_for_admin() {
  AdminOptions& admin = options_.admin;
  const auto take = [this](int descriptor, bool is_own) { admin_door_->take_connection(descriptor, is_own); };
  if (admin.address) return listen_at(*admin.address, take);
  if (admin.socket.empty()) return std::nullopt;
  admin_socket_.emplace([take](int descriptor) { take(descriptor, false); });
  const auto error = admin_socket_->listen(admin.socket);
  if (!error) return std::nullopt;
  if (!admin.is_by_default) return "cannot listen on " + *error;
  runtime::log_warning("no admin listener; --admin-listen says where else", {{"reason", *error}});
  admin_socket_.reset();
  admin.socket.clear();
  return std::nullopt;
}

std::optional<std::string> Server::open_admin() {
  const AdminOptions& admin = options_.admin;
  if (admin.socket.empty() && !admin.address) return std::nullopt;
  const auto entrance = admin.address ? session::Entrance::kAdminNetwork : session::Entrance::kAdminSocket;
  auto part = door_.make_admin_part(entrance, options_.clients);
  if (!part) return part.error();
  admin_door_ = std::move(*part);
  runtime::log_info("operators come in", {{"address", admin.address ? admin.address->to_string()
                                                                    : "unix:" + admin.socket.string()}});
  return std::nullopt;
}

// Before there are loops: until the acceptor starts, connections wait.
std::optional<std::string> Server::listen() {
  const auto to_loops_in_turn = [this, next = std::size_t{0}](int descriptor, bool is_own) mutable {
    doors_[next++ % doors_.size()]->take_connection(descriptor, is_own);
  };
  if (auto error = listen_at(options_.listen, to_loops_in_turn)) return error;
  loop_ports_.assign(options_.loops, options_.listen.port);  // Without ports of their own.
  for (std::size_t i = 0; has_loop_ports() && i < options_.loops; ++i) {
    const std::size_t port = options_.loop_port_base == 0 ? 0 : options_.loop_port_base + i;
    session::ListenAddress endpoint{options_.listen.host, static_cast<std::uint16_t>(port)};
    const auto to_loop = [this, i](int descriptor, bool is_own) {
      doors_[i]->take_connection(descriptor, is_own);
    };
    if (auto error = listen_at(endpoint, to_loop)) return error;
    loop_ports_[i] = endpoint.port;
  }
  if (auto error = listen_at_side()) return error;
  return listen_for_admin();
}

/// A stream's connection goes to the loop of its match by itself: no loop needs a port of its own.
std::optional<std::string> Server::listen_at_side() {
  if (side_door_ == nullptr) return std::nullopt;
  return listen_at(options_.side_listen, [this, next = std::size_t{0}](int descriptor, bool is_own) mutable {
    side_doors_[next++ % side_doors_.size()]->take_connection(descriptor, is_own);
  });
}

void Server::open_side() {
  for (std::size_t i = 0; i < side_doors_.size(); ++i) {
    side_doors_[i]->open(*loops_[i]);
    loops_[i]->loop().add_source(side_doors_[i]->events());
  }
}

std::optional<std::string> Server::listen_at(session::ListenAddress& address,
                                             const runtime::Acceptor::Take& take) {
  const auto port = acceptor_.listen(address.host, address.port, take);
  if (!port) return "cannot listen on " + address.to_string() + ": " + port.error();
  address.port = *port;
  return std::nullopt;
}

/// 0: the one under which clients know the server.
std::uint16_t Server::told_port(std::size_t loop) const {
  if (has_loop_ports()) return loop_ports_[loop];
  if (options_.advertised.port != 0) return options_.advertised.port;
  const bool is_known_to_clients = options_.advertised.host.empty() && !options_.has_loop_ports;
  return is_known_to_clients ? 0 : loop_ports_[loop];
}

void Server::make_loop(std::size_t index) {
  const auto number = static_cast<std::uint32_t>(index);
  session::MatchLoopOptions options{.endpoint = {options_.advertised.host, told_port(index), number},
                                    .idle_match_timeout = options_.idle_match_timeout,
                                    .journal = backend_->journal,
                                    .loop = options_.loop};
  if (metrics_) options.on_load = metrics_->on_load(index);
  if (options_.loops > 1) options.move_matches_every = options_.move_matches_every;
  loops_.push_back(std::make_unique<session::MatchLoop>(*backend_, doors_[index]->poller(), options));
  backend_->loops.push_back(loops_.back().get());
}

/// While they run.
void Server::watch_loops() {
  std::vector<const runtime::LoopPulse*> pulses;
  for (const auto& loop : loops_) pulses.push_back(&loop->loop().pulse());
  watchdog_.emplace(std::move(pulses), backend_->health);
  watchdog_thread_.emplace(*watchdog_);
  if (metrics_) metrics_->show_loops(*watchdog_);
}

/// Their new epochs have to be on the disk before any client is told of them, or the next crash would not
/// know what it undoes.
void Server::bring_back(std::vector<runtime::RecoveredMatch> matches) {
  std::promise<void> settled;
  runtime::Journal::Position last = 0;
  for (runtime::RecoveredMatch& match : matches) {
    // Beyond all limits: it was there before.
    const runtime::Payers payers = session::payers_of_creator(backend_->budgets, match.origin.budget_key);
    const runtime::MatchPlace place = backend_->registry.add(
        match.origin.id, backend_->budgets.take_anyway(payers, runtime::Resource::kMatches));
    runtime::MatchHost& host = backend_->loops[place.loop]->matches().add(std::move(match), payers);
    last = std::max(last, host.journal_position());
  }
  if (backend_->journal == nullptr) return;
  backend_->journal->when_settled(last, [&settled] { settled.set_value(); });
  settled.get_future().wait();
}

void Server::stop() {
  SWEEPD_ASSERT(is_serving_);
  backend_->is_shutting_down = true;
  port_watchdog_.stop();
  acceptor_.stop();
  if (admin_socket_) admin_socket_->stop();
  guard_.stop();
  // No match moves from here on: streams are ended loop by loop, and none may slip by.
  { const std::scoped_lock last_move(backend_->moves.mutex); }
  for (session::MatchLoop* const loop : backend_->loops) loop->end_streams();
  // What takes long is not waited for.
  if (backend_->journal != nullptr) backend_->journal->settle_all();
  if (backend_->replays != nullptr) backend_->replays->shut_down();
  backend_->verifiers.stop();  // The loops have told, or soon tell, the one that runs to give up.
  const auto deadline = std::chrono::system_clock::now() + kGracePeriod;
  for (const auto& door : doors_) door->shut_down(deadline);
  for (const auto& door : side_doors_) door->shut_down(deadline);
  if (admin_door_) admin_door_->shut_down(deadline);
  // By now every call has ended, but the loops may have yet to hear of it; and a call may be between two
  // loops.
  const auto is_quiet = [](const session::MatchLoop* loop) { return loop->calls() == 0; };
  while (!std::ranges::all_of(backend_->loops, is_quiet))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  backend_->parsers.stop();  // The last one may be about to return from a loop's post.
  if (metrics_) metrics_->hide_loops();
  watchdog_thread_.reset();
  for (const auto& loop : loops_) loop->join();
  for (const auto& door : doors_) door->close();
  for (const auto& door : side_doors_) door->close();
  if (admin_door_) admin_door_->close();
  backend_->loops.clear();
  loops_.clear();
  doors_.clear();
  side_doors_.clear();
  admin_door_.reset();
  is_serving_ = false;
}

}  // namespace sweepd::app
