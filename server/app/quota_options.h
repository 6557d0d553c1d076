// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "runtime/budgets/client_limits.h"

namespace sweepd::app {

/// --subject-max, --backend-max, --tenant-max and --address-max: what one of each may have of a resource.
/// Adds them to `app`; they write to `limits` when it parses.
void describe_quotas(CLI::App& app, runtime::ClientLimits& limits);

}  // namespace sweepd::app
