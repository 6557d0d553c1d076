// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

#include "tools/load/load_options.h"

namespace sweepd::tools {

/// What the command line of `sweepctl load` says in other units than LoadOptions.
struct LoadWords {
  double duration_s = 10;
  double warm_up_s = 2;
  double jitter_ms = 0;
  double search_ms = 0;  ///< 0: no search.
  std::uint32_t connections = 0;
};

/// Both outlive the command.
void add_load_options(CLI::App& command, load::LoadOptions& options, LoadWords& words);

void take(const LoadWords& words, load::LoadOptions& options);

/// Which of the options that were given do not go together, and why. Empty: all do.
std::string find_clash(const CLI::App& command);

/// What is too much beside the other options. Empty: nothing is.
std::string find_excess(const load::LoadOptions& options);

}  // namespace sweepd::tools
