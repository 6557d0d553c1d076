// SPDX-License-Identifier: MIT
#include "tools/sweepctl/duplicates.h"

namespace sweepd::tools {

std::string Duplicates::FirstFiles::find_or_add(const std::string& key, const std::string& file) {
  const auto [place, is_first] = files_.emplace(key, file);
  if (!is_first) return place->second;
  order_.push_back(key);
  if (order_.size() > kFilesMax) {
    files_.erase(order_.front());
    order_.pop_front();
  }
  return "";
}

void Duplicates::find(VerificationReport& report) {
  if (report.sha256.empty()) return;
  report.duplicate_of = by_bytes_.find_or_add(report.sha256, report.request.file);
  const replay::Verification& verification = report.verification;
  const bool has_run = report.obstacle == VerificationObstacle::kNone && verification.ticks_played > 0;
  if (!has_run) return;
  const std::string run =
      std::to_string(verification.digest) + " " + std::to_string(verification.ticks_played);
  const std::string first = by_run_.find_or_add(run, report.request.file);
  if (report.duplicate_of.empty()) report.same_run_as = first;
}

}  // namespace sweepd::tools
