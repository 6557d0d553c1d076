// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verification/verifier_limits.h"

namespace sweepd::tools {

/// What a command that looks into files may take: as much as a verifier does of each.
struct InspectionLimits {
  std::uint64_t seconds_max = 300;      ///< Of a processor; 0: no limit.
  std::uint64_t memory_mib_max = 2048;  ///< Beside the files' bytes; 0: no limit.
};

/// The same of the verifier of a file.
verification::VerifierLimits verifier_limits(const InspectionLimits& limits);

/// --max-seconds and --max-memory. `limits` has their defaults.
void add_limit_options(CLI::App& command, InspectionLimits& limits);

/// What `inspect` yields. This process ends with a line on stderr and kExitTooLong or kExitTooLarge where it
/// would take more than it may: a small file can ask for days and for any memory. For one thread, once, after
/// all processes that it starts.
int inspect_within(const InspectionLimits& limits, const std::vector<std::string>& files,
                   const std::function<int()>& inspect);

}  // namespace sweepd::tools
