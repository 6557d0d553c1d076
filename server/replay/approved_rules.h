// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "match/config.h"

namespace sweepd::replay {

/// A config whose rules are official; its labels do not matter.
struct ApprovedRules {
  std::string name = {};  ///< For people: of its file.
  match::MatchConfig config = {};
};

/// Where a config differs from the nearest of these rules: from those of the same ruleset name where there
/// are some, else from the first. Named is the first field, with both values. Nothing: in none, or there are
/// no rules.
std::optional<std::string> mismatch_with_nearest(const match::MatchConfig& config,
                                                 const std::vector<ApprovedRules>& approved);

/// The same of a config that has none of these rules; nothing: it has some, or there are none to have.
std::optional<std::string> find_rules_mismatch(const match::MatchConfig& config,
                                               const std::vector<ApprovedRules>& approved);

}  // namespace sweepd::replay
