// SPDX-License-Identifier: MIT
//
// sweepd, the server: wiring and configuration only.
#include <signal.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "app/file_limit.h"
#include "app/options.h"
#include "inspector/inspector.h"
#include "rpc/server.h"
#include "rpc/verification_child.h"
#include "runtime/health.h"
#include "runtime/metrics.h"
#include "runtime/storage.h"

namespace sweepd::app {
namespace {

constexpr int kCannotStart = 1;

void set_up_log(const std::string& level) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("sweepd"));
  spdlog::set_level(spdlog::level::from_str(level));
}

// Whoever waits for the file must never see a part of it.
bool write_port_file(const std::filesystem::path& path, std::uint16_t port) {
  std::filesystem::path part = path;
  part += ".part";
  std::ofstream file(part);
  file << port << '\n';
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  return file && !error;
}

void exit_at_once(int signal_number) { _exit(128 + signal_number); }

void wait_for_signal() {
  boost::asio::io_context context;
  boost::asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([](const boost::system::error_code& error, int number) {
    if (!error) spdlog::info("signal {}: shutting down; once more to exit at once", number);
  });
  context.run();
  signals.clear();
  signal(SIGINT, exit_at_once);
  signal(SIGTERM, exit_at_once);
}

/// Part of the health: whether clients are served.
constexpr const char* kServerPart = "server";

std::unique_ptr<inspector::Inspector> make_inspector(const rpc::ListenAddress& address,
                                                     const runtime::Metrics& metrics,
                                                     const runtime::Health& health) {
  inspector::InspectorOptions options;
  options.host = address.host;
  options.port = address.port;
  return std::make_unique<inspector::Inspector>(
      options, inspector::Sources{.metrics_text = [&metrics] { return metrics.to_text(); },
                                  .components = [&health] { return health.components(); }});
}

bool start_inspector(const Options& options, inspector::Inspector& inspector) {
  if (const auto error = inspector.start()) {
    spdlog::error("{}", *error);
    return false;
  }
  const rpc::ListenAddress address{options.http_listen->host, inspector.port()};
  spdlog::info("metrics and health are at http://{}/", address.to_string());
  if (options.http_port_file.empty() || write_port_file(options.http_port_file, address.port)) return true;
  spdlog::error("cannot write the file {}", options.http_port_file.string());
  return false;
}

/// Null: an error has been told.
std::unique_ptr<runtime::Storage> open_storage(runtime::StorageOptions options, runtime::Health& health,
                                               runtime::Metrics& metrics) {
  options.health = &health;
  options.metrics = &metrics;
  options.on_trouble = [](const std::string& what) { spdlog::error("{}", what); };
  options.on_news = [](const std::string& what) { spdlog::info("{}", what); };
  auto storage = runtime::Storage::open(std::move(options));
  if (storage) return std::move(*storage);
  spdlog::error("{}", storage.error());
  return nullptr;
}

/// Until it is told to stop.
int serve(rpc::Server& server, const Options& options, runtime::Health& health) {
  spdlog::info("sweepd {} listens on {}, {} loop{}", SWEEPD_VERSION, server.address().to_string(),
               options.server.loops, options.server.loops == 1 ? "" : "s");
  if (!options.storage) spdlog::info("no --data-dir: matches end with the server");
  health.set_ok(kServerPart);
  int exit_code = 0;
  if (!options.ready_file.empty() && !write_port_file(options.ready_file, server.address().port)) {
    spdlog::error("cannot write the ready file {}", options.ready_file.string());
    exit_code = kCannotStart;
  } else {
    wait_for_signal();
  }
  health.set_failing(kServerPart, "shutting down");
  server.stop();
  return exit_code;
}

int run(const Options& options) {
  runtime::Metrics metrics;
  runtime::Health health;
  health.set_failing(kServerPart, "starting");
  std::unique_ptr<runtime::Storage> storage;
  std::unique_ptr<inspector::Inspector> inspector;  // Shows how everything is from the first to the last.
  if (options.http_listen) {
    inspector = make_inspector(*options.http_listen, metrics, health);
    if (!start_inspector(options, *inspector)) return kCannotStart;
  }
  rpc::ServerEnvironment environment{.health = &health, .metrics = &metrics};
  std::vector<runtime::RecoveredMatch> matches;
  if (options.storage) {
    storage = open_storage(*options.storage, health, metrics);
    if (!storage) return kCannotStart;
    matches = storage->take_matches();
    environment.journal = &storage->journal();
    environment.replays = &storage->replays();
  }
  rpc::Server server(options.server, environment);
  if (const auto error = server.start(std::move(matches))) {
    spdlog::error("{}", *error);
    return kCannotStart;
  }
  const int exit_code = serve(server, options, health);
  spdlog::info("stopped");
  return exit_code;
}

}  // namespace
}  // namespace sweepd::app

int main(int argc, char** argv) {
  // Not an option: how a server starts its verifiers.
  if (argc == 3 && std::string_view(argv[1]) == sweepd::rpc::kVerifierArgument) {
    sweepd::rpc::be_verifier(argv[2]);
  }
  // A file that may not grow any further is an error where it is written, like a full disk: no reason to end.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGCHLD,
         SIG_DFL);  // Who has started this may have ignored it; then nobody hears how a verifier ended.
  const auto parsed = sweepd::app::parse_options(argc, argv);
  if (const auto* exit_code = std::get_if<sweepd::app::ExitCode>(&parsed)) return exit_code->value;
  const auto& options = std::get<sweepd::app::Options>(parsed);
  sweepd::app::set_up_log(options.log_level);
  const auto files = sweepd::app::raise_file_limit();
  spdlog::debug("{} files and connections may be open at once (was started with {})", files.now,
                files.before);
  return sweepd::app::run(options);
}
