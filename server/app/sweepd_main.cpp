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

#include "app/options.h"
#include "rpc/server.h"

namespace sweepd::app {
namespace {

constexpr int kCannotStart = 1;

void set_up_log(const std::string& level) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("sweepd"));
  spdlog::set_level(spdlog::level::from_str(level));
}

// Whoever waits for the file must never see a part of it.
bool write_ready_file(const std::filesystem::path& path, std::uint16_t port) {
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

int serve(const Options& options) {
  rpc::Server server(options.server);
  if (const auto error = server.start()) {
    spdlog::error("{}", *error);
    return kCannotStart;
  }
  spdlog::info("sweepd {} listens on {}, {} loop{}", SWEEPD_VERSION, server.address().to_string(),
               options.server.loops, options.server.loops == 1 ? "" : "s");
  int exit_code = 0;
  if (!options.ready_file.empty() && !write_ready_file(options.ready_file, server.address().port)) {
    spdlog::error("cannot write the ready file {}", options.ready_file.string());
    exit_code = kCannotStart;
  } else {
    wait_for_signal();
  }
  server.stop();
  spdlog::info("stopped");
  return exit_code;
}

}  // namespace
}  // namespace sweepd::app

int main(int argc, char** argv) {
  const auto parsed = sweepd::app::parse_options(argc, argv);
  if (const auto* exit_code = std::get_if<sweepd::app::ExitCode>(&parsed)) return exit_code->value;
  const auto& options = std::get<sweepd::app::Options>(parsed);
  sweepd::app::set_up_log(options.log_level);
  return sweepd::app::serve(options);
}
