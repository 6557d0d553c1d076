// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "match/refusal.h"

namespace sweepd::match {

/// Whether a limit of the match's config was the reason, and `describe_limit` can tell of it.
bool is_of_a_limit(const Refusal& refusal);

/// That limit: its path within the config.
std::string rule_of_limit(const Refusal& refusal);

/// What was found against which limit.
std::string describe_limit(const Refusal& refusal);

/// The same for a change that brings parts: within it, what is at fault. `change`: its path, "spawns[2]".
RefusalText describe_parts_limit(const Refusal& refusal, const std::string& change);

}  // namespace sweepd::match
