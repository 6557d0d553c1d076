// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "match/refusal.h"

namespace sweepd::match {

/// The rule of the config that a refusal is for; nothing where it is for something else.
std::optional<BrokenRule> broken_rule_of(const Refusal& refusal, const RefusalContext& context);

}  // namespace sweepd::match
