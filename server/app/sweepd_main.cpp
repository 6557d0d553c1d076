// SPDX-License-Identifier: MIT
//
// sweepd, the server: wiring and configuration only.
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/listeners.h"
#include "app/options.h"
#include "app/server.h"
#include "base/hash_secret.h"
#include "base/last_words.h"
#include "base/sanitizers.h"
#include "inspector/inspector.h"
#include "os/address_space.h"
#include "os/file_limit.h"
#include "os/next_signal.h"
#include "rpc/grpc_door.h"
#include "rpc/library_log.h"
#include "runtime/budgets/client_limits.h"
#include "runtime/journal/storage.h"
#include "runtime/random_bytes.h"
#include "runtime/telemetry/health.h"
#include "runtime/telemetry/log.h"
#include "runtime/telemetry/log_metrics.h"
#include "runtime/telemetry/metrics.h"
#include "verification/verification_child.h"
#include "ws/web_socket_door.h"

namespace sweepd::app {
namespace {

constexpr int kCannotStart = 1;

// A reader that waits for the file must never see a part of it.
bool write_port_file(const std::filesystem::path& path, std::uint16_t port) {
  std::filesystem::path part = path;
  part += ".part";
  std::ofstream file(part);
  file << port << '\n';
  file.close();
  std::error_code error;
  // For the process that waits for it, which may be of another user.
  std::filesystem::permissions(part, std::filesystem::perms(0644), error);
  if (file) std::filesystem::rename(part, path, error);
  return file && !error;
}

/// Signals that would end or stop a server which has no use for them. Some of them are heard later (Signals).
void ignore_harmless_signals() {
  for (const int number :
       {SIGUSR1, SIGUSR2, SIGHUP, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGTTOU, SIGTTIN}) {
    signal(number, SIG_IGN);
  }
  // A file that may not grow any further is an error where it is written, like a full disk: no reason to end.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);  // So is a reader of the log that has gone.
  // The process that started this one may have ignored it; then the end of a verifier is not heard.
  signal(SIGCHLD, SIG_DFL);
}

/// An operator that looks into a problem wants to see more, without a restart that would end the problem.
void step_log_level(int steps) {
  constexpr int kMost = static_cast<int>(runtime::LogLevel::kTrace);
  constexpr int kLeast = static_cast<int>(runtime::LogLevel::kOff);
  const int level = std::clamp(static_cast<int>(runtime::log_level()) + steps, kMost, kLeast);
  runtime::change_log_level(static_cast<runtime::LogLevel>(level));
}

/// Said without the log, which needs a thread. A sanitizer takes all of the address space.
bool has_address_space(std::size_t loops) {
  const std::uint64_t most = os::address_space_max();
  const std::uint64_t needed = os::address_space_beside_memory(loops) + runtime::kMemoryMaxLeast;
  if (most >= needed || base::kHasSanitizer) return true;
  std::cerr << "sweepd: too little address space (ulimit -v): " << most / 1024 << " KiB, and " << loops
            << (loops == 1 ? " loop needs " : " loops need ") << needed / 1024 << " KiB\n";
  return false;
}

/// Or clients could name objects so that they fall together in tables.
void choose_hash_secret() {
  std::uint64_t secret = 0;
  runtime::fill_with_random_bytes(&secret, sizeof secret);
  base::set_hash_secret(secret);
}

std::string current_exception_text() noexcept try {
  if (!std::current_exception()) return "terminate was called";
  std::rethrow_exception(std::current_exception());
} catch (const std::exception& error) {
  return std::string("an exception that nothing catches: ") + error.what();
} catch (...) {
  return "an exception that nothing catches";
}

/// Through the log, like a broken invariant: the runtime's own handler writes to stderr, and waits for a pipe
/// that takes nothing.
void tell_log_before_terminating() {
  std::set_terminate([] {
    base::say_last_words(current_exception_text().c_str());
    std::abort();
  });
}

/// Signals are heard from here on, and answered while `wait` runs. Not to be destroyed before the process
/// ends: those for the log would end it then.
class Signals {
 public:
  /// `on_hangup` is called within `wait`.
  explicit Signals(std::function<void()> on_hangup) : on_hangup_(std::move(on_hangup)) {
    signals_.add(SIGUSR1);
    signals_.add(SIGUSR2);
    signals_.add(SIGHUP);
    listen();
  }

  /// Returns when the server is told to stop, or was told already; the next signal to stop ends it at once.
  void wait() {
    context_.run();
    os::let_next_signal_end_at_once();
    // One that has come before that is the next one already.
    listen();
    context_.restart();
    context_.poll();
  }

 private:
  void listen() {
    signals_.async_wait([this](const boost::system::error_code& error, int number) {
      if (error) return;
      if (number == SIGUSR1 || number == SIGUSR2) {
        step_log_level(number == SIGUSR1 ? -1 : 1);
        return listen();
      }
      if (number == SIGHUP) {
        if (on_hangup_) on_hangup_();
        return listen();
      }
      if (is_told_to_stop_) raise(number);  // Which ends the process.
      is_told_to_stop_ = true;
      runtime::log_info("shutting down; one more signal to exit at once", {{"signal", number}});
    });
  }

  const std::function<void()> on_hangup_;
  bool is_told_to_stop_ = false;
  boost::asio::io_context context_;
  boost::asio::signal_set signals_{context_, SIGINT, SIGTERM};
};

/// Part of the health: whether clients are served.
constexpr const char* kServerPart = "server";

std::unique_ptr<inspector::Inspector> make_inspector(const Options& given, const runtime::Metrics& metrics,
                                                     const runtime::Health& health,
                                                     const runtime::CertificateStore* certificates) {
  inspector::InspectorOptions options;
  options.host = given.http_listen->host;
  options.port = given.http_listen->port;
  options.certificates = certificates;
  inspector::Sources sources{.metrics_text = [&metrics] { return metrics.to_text(); },
                             .components = [&health] { return health.components(); },
                             .log_level = runtime::log_level,
                             .set_log_level = {},
                             .told_change = audit_change_by_http};
  if (may_change_log_level_by_http(given)) sources.set_log_level = runtime::change_log_level;
  return std::make_unique<inspector::Inspector>(options, std::move(sources));
}

bool start_inspector(const Options& options, inspector::Inspector& inspector) {
  if (const auto error = inspector.start()) {
    runtime::log_error(*error);
    return false;
  }
  const session::ListenAddress address{options.http_listen->host, inspector.port()};
  const std::string scheme = options.tls.has_tls() ? "https://" : "http://";
  runtime::log_info("metrics and health are shown", {{"url", scheme + address.to_string() + "/"}});
  if (options.http_port_file.empty() || write_port_file(options.http_port_file, address.port)) return true;
  runtime::log_error("cannot write the file " + options.http_port_file.string());
  return false;
}

/// Null: an error has been told.
std::unique_ptr<runtime::Storage> open_storage(runtime::StorageOptions options, runtime::Health& health,
                                               runtime::Metrics& metrics) {
  options.health = &health;
  options.metrics = &metrics;
  options.on_trouble = [](const std::string& what) { runtime::log_error(what); };
  options.on_news = [](const std::string& what) { runtime::log_info(what); };
  auto storage = runtime::Storage::open(std::move(options));
  if (storage) return std::move(*storage);
  runtime::log_error(storage.error());
  return nullptr;
}

/// The log goes to stderr, and no other file is kept open that would be rotated.
void read_files_again(Server& server) {
  runtime::log_info("SIGHUP: files of keys are read again");
  (void)server.reload();  // It has said what is wrong.
}

/// Until it is told to stop.
int serve(Server& server, const Options& options, runtime::Health& health) {
  runtime::log_info("sweepd listens", {{"address", server.address().to_string()},
                                       {"loops", options.server.loops},
                                       {"version", SWEEPD_VERSION}});
  if (options.ws_listen)
    runtime::log_info("clients come in by WebSocket", {{"address", server.side_address().to_string()}});
  if (!options.storage) runtime::log_info("no --data-dir: matches end with the server");
  static Signals* const signals =
      new Signals([&server] { read_files_again(server); });  // From here on a supervisor may stop it.
  health.set_ok(kServerPart);
  int exit_code = 0;
  if (!options.ws_port_file.empty() && !write_port_file(options.ws_port_file, server.side_address().port)) {
    runtime::log_error("cannot write the file " + options.ws_port_file.string());
    exit_code = kCannotStart;
  } else if (!options.ready_file.empty() && !write_port_file(options.ready_file, server.address().port)) {
    runtime::log_error("cannot write the ready file " + options.ready_file.string());
    exit_code = kCannotStart;
  } else {
    signals->wait();
  }
  health.set_failing(kServerPart, "shutting down", runtime::Impact::kNotReady);
  server.stop();
  return exit_code;
}

int run(const Options& options, const runtime::Log& log) {
  runtime::Metrics metrics;
  const runtime::LogMetrics log_metrics(metrics, log);
  runtime::Health health;
  health.set_failing(kServerPart, "starting", runtime::Impact::kNotReady);
  std::unique_ptr<runtime::CertificateStore> certificates;
  if (!secure_listeners(options, health, metrics, certificates)) return kCannotStart;
  std::unique_ptr<runtime::Storage> storage;
  std::unique_ptr<inspector::Inspector> inspector;  // Shows how everything is from the first to the last.
  if (options.http_listen) {
    inspector = make_inspector(options, metrics, health, certificates.get());
    if (!start_inspector(options, *inspector)) return kCannotStart;
  }
  ServerEnvironment environment{.health = &health, .metrics = &metrics, .certificates = certificates.get()};
  std::vector<runtime::RecoveredMatch> matches;
  if (options.storage) {
    storage = open_storage(*options.storage, health, metrics);
    if (!storage) return kCannotStart;
    matches = storage->take_matches();
    environment.journal = &storage->journal();
    environment.replays = &storage->replays();
  }
  rpc::GrpcDoor door(certificates.get());
  std::optional<ws::WebSocketDoor> side_door;
  if (options.ws_listen) {
    side_door.emplace(certificates.get(), options.ws_origins);
    environment.side_door = &*side_door;
  }
  Server server(options.server, door, environment);
  if (const auto error = server.start(std::move(matches))) {
    runtime::log_error(*error);
    return kCannotStart;
  }
  const int exit_code = serve(server, options, health);
  runtime::log_info("stopped");
  return exit_code;
}

}  // namespace
}  // namespace sweepd::app

int main(int argc, char** argv) {
  // Not an option: how a server starts its verifiers.
  const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
  if (sweepd::verification::is_verifier(arguments)) sweepd::verification::be_verifier(arguments);
  sweepd::app::choose_hash_secret();
  umask(0077);  // SQLite's files, too: journals and replays are for no other user to read.
  sweepd::app::ignore_harmless_signals();
  const auto parsed = sweepd::app::parse_options(argc, argv);
  if (const auto* exit_code = std::get_if<sweepd::app::ExitCode>(&parsed)) return exit_code->value;
  const auto& options = std::get<sweepd::app::Options>(parsed);
  if (!sweepd::app::has_address_space(options.server.loops)) return sweepd::app::kCannotStart;
  sweepd::os::save_address_space();
  sweepd::app::tell_log_before_terminating();
  sweepd::rpc::take_library_logs();
  const sweepd::runtime::Log log({.level = options.log_level, .format = options.log_format});
  const auto files = sweepd::os::raise_file_limit();
  sweepd::runtime::log_debug("so many files and connections may be open at once",
                             {{"files_max", files.now}, {"files_max_before", files.before}});
  const std::uint64_t files_min = 48 + 8 * options.server.loops;
  if (files.now < files_min) {
    sweepd::runtime::log_error("too few files may be open at once (ulimit -n)",
                               {{"files_max", files.now}, {"needed", files_min}});
    return sweepd::app::kCannotStart;
  }
  return sweepd::app::run(options, log);
}
