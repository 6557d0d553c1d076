// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "rpc/server.h"

namespace sweepd::app {

/// What the command line asks of sweepd.
struct Options {
  rpc::ServerOptions server;
  std::string log_level = "info";
  std::filesystem::path ready_file;  ///< Empty: none.
};

/// The process is to end with this code: help has been shown, or an error.
struct ExitCode {
  int value = 0;
};

std::variant<Options, ExitCode> parse_options(int argc, char** argv);

}  // namespace sweepd::app
