// SPDX-License-Identifier: MIT
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdio>
#include <fstream>

#include "app/server_options.h"

namespace sweepd::app {
namespace {

constexpr int kExitFailure = 1;

/// gRPC shares ports between sockets, so a second server on ours would start and take half of the connections. An
/// exclusive bind finds that out first.
std::optional<std::string> find_port_taken(const rpc::ServerOptions& options) {
  namespace ip = boost::asio::ip;
  if (options.port == 0) return std::nullopt;
  boost::asio::io_context context;
  boost::system::error_code error;
  ip::tcp::resolver resolver(context);
  const auto found = resolver.resolve(options.host, std::to_string(options.port), error);
  const std::string address = options.host + ":" + std::to_string(options.port);
  if (error) return "cannot resolve " + address + ": " + error.message();
  ip::tcp::acceptor acceptor(context);
  const ip::tcp::endpoint endpoint = found.begin()->endpoint();
  acceptor.open(endpoint.protocol());
  acceptor.set_option(ip::tcp::acceptor::reuse_address(true));
  acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(1, error);
  if (error) return "cannot listen on " + address + ": " + error.message();
  return std::nullopt;
}

/// By way of another name: whoever waits for the file never sees half of it.
void write_ready_file(const std::string& path, std::uint16_t port) {
  const std::string partial = path + ".partial";
  std::ofstream(partial) << port << '\n';
  if (std::rename(partial.c_str(), path.c_str()) != 0) spdlog::error("cannot write {}", path);
}

/// Returns at the first signal; a second one ends the process at once.
void wait_for_signal(boost::asio::io_context& context, boost::asio::signal_set& signals) {
  signals.async_wait([&signals](const boost::system::error_code&, int number) {
    spdlog::info("{}: stopping", number == SIGINT ? "SIGINT" : "SIGTERM");
    signals.clear();  // Back to the default action.
  });
  context.run();
}

int run(const Options& options) {
  boost::asio::io_context context;
  boost::asio::signal_set signals(context, SIGINT, SIGTERM);
  auto error = find_port_taken(options.server);
  rpc::Server server(options.server);
  if (!error) error = server.start();
  if (error) {
    spdlog::error("{}", *error);
    return kExitFailure;
  }
  spdlog::info("sweepd " SWEEPD_VERSION " listens on {}:{}, {} loop{}", options.server.host, server.port(),
               options.server.loops, options.server.loops == 1 ? "" : "s");
  if (!options.ready_file.empty()) write_ready_file(options.ready_file, server.port());
  wait_for_signal(context, signals);
  server.stop();
  spdlog::info("stopped");
  return 0;
}

}  // namespace
}  // namespace sweepd::app

int main(int argc, char** argv) {
  int exit_code = 0;
  const auto options = sweepd::app::parse_options(argc, argv, exit_code);
  if (!options) return exit_code;
  spdlog::set_default_logger(spdlog::stderr_logger_mt("sweepd"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  spdlog::set_level(spdlog::level::from_str(options->log_level));
  return sweepd::app::run(*options);
}
