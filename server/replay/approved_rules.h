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

/// Why a config has none of these rules; nothing: it has some, or there are none to have. Named is the first
/// field that differs, with both values: from the rules of the same ruleset name where there are some, else
/// from the first.
std::optional<std::string> find_rules_mismatch(const match::MatchConfig& config,
                                               const std::vector<ApprovedRules>& approved);

}  // namespace sweepd::replay
