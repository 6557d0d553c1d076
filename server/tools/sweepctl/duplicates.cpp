// SPDX-License-Identifier: MIT
#include "tools/sweepctl/duplicates.h"

namespace sweepd::tools {

std::string Duplicates::FirstFiles::find(const std::string& key) const {
  const auto place = files_.find(key);
  return place == files_.end() ? "" : place->second;
}

void Duplicates::FirstFiles::add(const std::string& key, const std::string& file) {
  if (!files_.emplace(key, file).second) return;
  order_.push_back(key);
  if (order_.size() > kFilesMax) {
    files_.erase(order_.front());
    order_.pop_front();
  }
}

void Duplicates::find(VerificationReport& report) {
  if (report.sha256.empty()) return;
  const replay::Verification& verification = report.verification;
  const bool is_verified = exit_code_of(report) == 0;
  report.duplicate_of = by_bytes_.find(report.sha256);
  if (is_verified) by_bytes_.add(report.sha256, report.request.file);
  const bool has_run = report.obstacle == VerificationObstacle::kNone && verification.ticks_played > 0;
  if (!has_run) return;
  const std::string run =
      std::to_string(verification.digest) + " " + std::to_string(verification.ticks_played);
  if (report.duplicate_of.empty()) report.same_run_as = by_run_.find(run);
  if (is_verified) by_run_.add(run, report.request.file);
}

}  // namespace sweepd::tools
