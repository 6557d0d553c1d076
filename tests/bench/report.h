// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <vector>

#include "bench/measurement.h"

namespace sweepd::bench {

/// A row for each scene: what every contender took.
void print_costs(const std::vector<SceneFigures>& scenes, std::ostream& out);

/// A row for each scene: how the champion compares, and whether that is enough. False if anywhere it is not.
bool print_verdicts(const std::vector<SceneFigures>& scenes, std::ostream& out);

/// For plotting: a row for each scene with its boxes and everyone's median, NaN where there is none.
void write_columns(const std::vector<SceneFigures>& scenes, std::ostream& out);

void write_json(const std::vector<SceneFigures>& scenes, std::ostream& out);

/// Names whoever came to other pairs than the reference. False if someone did.
bool report_disagreements(const std::vector<SceneFigures>& scenes, std::ostream& out);

}  // namespace sweepd::bench
