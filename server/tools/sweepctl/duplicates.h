// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>

#include "tools/sweepctl/verification_report.h"

namespace sweepd::tools {

/// Files that have been verified, to name those that come twice: the same bytes, or another file of the same
/// run. A run is named by its digest and its number of ticks, which scores, names and receipts do not change;
/// but two runs in which nothing happens are alike, too. So a duplicate is named and not refused. Only what
/// is VERIFIED makes a later file one: a broken copy that comes first takes no run from its player. Past
/// kFilesMax the oldest are forgotten.
class Duplicates {
 public:
  static constexpr std::size_t kFilesMax = std::size_t{1} << 20;

  /// Notes in `report` of what it is a duplicate, and remembers it.
  void find(VerificationReport& report);

 private:
  /// The file that came first under each key.
  class FirstFiles {
   public:
    /// Empty: there is none.
    std::string find(const std::string& key) const;
    /// Unless there is one.
    void add(const std::string& key, const std::string& file);

   private:
    std::unordered_map<std::string, std::string> files_;
    std::deque<std::string> order_;
  };

  FirstFiles by_bytes_;
  FirstFiles by_run_;
};

}  // namespace sweepd::tools
