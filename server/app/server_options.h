// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "rpc/server.h"

namespace sweepd::app {

struct Options {
  rpc::ServerOptions server;
  std::string ready_file;
  std::string log_level = "info";
};

/// The options of the command line. Nothing: it was answered or refused, and `exit_code` says how to end.
std::optional<Options> parse_options(int argc, char** argv, int& exit_code);

}  // namespace sweepd::app
