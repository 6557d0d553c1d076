// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "match/config.h"

namespace sweepd::match {

/// One value that the outcome of a match depends on. `field`: its path in the public contract.
struct Rule {
  std::string field;
  std::string value;  ///< A number, a text in quotes, "none"; of a list the number of its entries.
};

/// All rules of a config, value by value, in the order of its rows; of a list first its length. Left out are
/// rows outside_rules(): labels and tags, the seed, transport and messages, the broadphase. Budgets are as
/// the creator wrote them: one that a server filled in is absent ("none"), so a match file and the match that
/// any server creates from it have the same rules. Two configs with equal rules give equal matches for equal
/// calls, and allow the same calls.
///
/// Digests of rules are signed (replay/rules_digest.h), so a value's form is frozen. A field that comes later
/// adds nothing where it is as by default, or the digest gets a new version.
std::vector<Rule> rules_of(const MatchConfig& config);

/// Where two configs have other rules; values are made visible and shortened.
struct RulesDifference {
  std::string field;
  std::string first;
  std::string second;
};

/// The first of them, or nothing.
std::optional<RulesDifference> first_difference(const std::vector<Rule>& first,
                                                const std::vector<Rule>& second);

}  // namespace sweepd::match
