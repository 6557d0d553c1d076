// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "match/budget_maxima.h"
#include "replay/approved_rules.h"

namespace sweepd::session {

/// The rules that a server has approved. A match created by one of their names, or from a config with the
/// same rules, carries the name in its receipt; any other is UNRANKED. Immutable.
class OfficialRules {
 public:
  static constexpr std::size_t kFilesMax = 1024;

  OfficialRules() = default;
  /// Of all files NAME.rules in a folder, as `sweepctl check --compile` writes them. Else what is
  /// wrong, with the file: a server with these maxima has to be able to run them.
  static base::Result<OfficialRules, std::string> read(const std::filesystem::path& folder,
                                                       const match::BudgetMaxima& maxima);

  bool empty() const { return rules_.empty(); }
  /// Null: there are none of that name.
  const match::MatchConfig* find(std::string_view name) const;
  /// Under which a config's rules are approved; empty: under none.
  std::string name_of(const match::MatchConfig& config) const;
  const std::vector<replay::ApprovedRules>& all() const { return rules_; }

 private:
  std::vector<replay::ApprovedRules> rules_;      ///< By name.
  std::map<std::string, std::string> by_digest_;  ///< The name that comes first.
};

}  // namespace sweepd::session
