// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
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
  struct Entry {
    const match::MatchConfig& config;
    const std::string& digest;
    std::size_t bytes;  ///< Of its file.
  };
  /// Nothing: there are none of that name.
  std::optional<Entry> find(std::string_view name) const;
  /// Under which rules of that digest are approved; empty: under none, or `filled` are other budgets than
  /// this server fills in for them. For the broadphase is no rule, and leaves some matches fewer parts.
  std::string name_of(const std::string& digest, const match::Budgets& filled) const;
  const std::vector<replay::ApprovedRules>& all() const { return rules_; }

 private:
  struct Source {
    std::string digest;
    std::size_t bytes = 0;
    match::Budgets filled = {};
  };
  std::vector<replay::ApprovedRules> rules_;      ///< By name.
  std::vector<Source> sources_;                   ///< Of those.
  std::map<std::string, std::size_t> by_digest_;  ///< The index of the first.
};

}  // namespace sweepd::session
