// SPDX-License-Identifier: MIT
#include "runtime/feed/claim_log.h"

#include <algorithm>
#include <utility>

namespace sweepd::runtime {

void ClaimLog::take(const match::TickOutput& output, const SightLog* sight) {
  for (std::size_t i = 0; i < output.claim_verdicts.size(); ++i)
    kept_.push_back({output.tick, output.claim_verdicts[i], sight != nullptr && sight->hides_target(i)});
  count_ += output.claim_verdicts.size();
  if (kept_.size() > kKeptMax) {
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(kept_.size() - kKeptMax));
  }
}

std::uint64_t ClaimLog::count_up_to(match::Tick tick) const {
  const auto later = std::ranges::upper_bound(kept_, tick, {}, &Entry::tick);
  return count_ - static_cast<std::uint64_t>(kept_.end() - later);
}

std::size_t ClaimLog::first_after(std::uint64_t told) const {
  const std::uint64_t untold = count_ - std::min(told, count_);
  return kept_.size() - static_cast<std::size_t>(std::min<std::uint64_t>(untold, kept_.size()));
}

void ClaimLog::append_verdicts(std::span<const Claimant> claimants,
                               std::vector<match::ClaimVerdict>& verdicts, bool is_limited) const {
  if (claimants.empty()) return;
  const std::uint64_t before = count_ - kept_.size();
  const std::uint64_t least_told = std::ranges::min(claimants, {}, &Claimant::told).told;
  for (std::size_t i = first_after(least_told); i < kept_.size(); ++i) {
    const match::ClaimVerdict& verdict = kept_[i].verdict;
    const auto it = std::ranges::lower_bound(claimants, verdict.claimant, {}, &Claimant::number);
    const bool is_of_one = it != claimants.end() && it->number == verdict.claimant;
    if (!is_of_one || before + i < it->told) continue;
    verdicts.push_back(is_limited && kept_[i].hides_target ? match::of_unknown_target(verdict) : verdict);
  }
}

void ClaimLog::append_warnings(std::uint64_t told, std::span<const match::ParticipantNumber> except,
                               std::vector<match::ClaimVerdict>& verdicts) const {
  std::pair<match::Tick, match::ParticipantNumber> of{};  // Whose claims in which tick.
  std::size_t count = 0;
  for (std::size_t i = first_after(told); i < kept_.size(); ++i) {
    const match::ClaimVerdict& verdict = kept_[i].verdict;
    if (verdict.verdict == match::Verdict::kConfirmed) continue;
    if (std::ranges::binary_search(except, verdict.claimant)) continue;
    if (std::exchange(of, {kept_[i].tick, verdict.claimant}) != of) count = 0;
    if (++count <= kWarningsMax) verdicts.push_back(verdict);
  }
}

}  // namespace sweepd::runtime
