// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/server.h"
#include "app/ticket_options.h"
#include "app/tls_options.h"
#include "runtime/journal/storage.h"
#include "runtime/telemetry/log.h"

namespace sweepd::app {

/// What the command line asks of sweepd.
struct Options {
  ServerOptions server;
  TicketChoice tickets;
  TlsChoice tls = {};
  std::optional<session::ListenAddress> http_listen = {};  ///< Nothing: no metrics and health by HTTP.
  std::filesystem::path http_port_file = {};               ///< Empty: none.
  std::optional<session::ListenAddress> ws_listen = {};    ///< Nothing: no WebSocket.
  std::filesystem::path ws_port_file = {};                 ///< Empty: none.
  std::vector<std::string> ws_origins = {};                ///< Of pages that may come in; "*": of any.
  runtime::LogLevel log_level = runtime::LogLevel::kInfo;
  runtime::LogFormat log_format = runtime::LogFormat::kText;
  std::filesystem::path ready_file;                ///< Empty: none.
  std::optional<runtime::StorageOptions> storage;  ///< Absent: nothing is kept.
};

/// The process is to end with this code: help has been shown, or an error.
struct ExitCode {
  int value = 0;
};

std::variant<Options, ExitCode> parse_options(int argc, char** argv);

}  // namespace sweepd::app
