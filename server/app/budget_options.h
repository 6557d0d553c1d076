// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "match/budget_maxima.h"

namespace sweepd::app {

inline constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// What a match may take at most: adds the options to `app`, which write to `maxima` when it parses.
void describe_budgets(CLI::App& app, match::BudgetMaxima& maxima);

}  // namespace sweepd::app
