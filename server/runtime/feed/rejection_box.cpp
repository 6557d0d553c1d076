// SPDX-License-Identifier: MIT
#include "runtime/feed/rejection_box.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::runtime {

void RejectionBox::take(const match::TickOutput& output, match::ParticipantNumber number) {
  const auto first = std::ranges::lower_bound(output.rejections, number, {}, &match::Rejection::participant);
  const auto last = std::ranges::upper_bound(output.rejections, number, {}, &match::Rejection::participant);
  for (auto rejection = first; rejection != last; ++rejection) {
    kept_.push_back(*rejection);
    numbers_.push_back(++count_);
  }
  for (const match::UnlistedRejections& unlisted : output.rejections_not_listed) {
    if (unlisted.participant == number) count_ += unlisted.count;
  }
  if (kept_.size() <= kKeptMax) return;
  const auto surplus = static_cast<std::ptrdiff_t>(kept_.size() - kKeptMax);
  kept_.erase(kept_.begin(), kept_.begin() + surplus);
  numbers_.erase(numbers_.begin(), numbers_.begin() + surplus);
}

std::size_t RejectionBox::first_after(std::uint64_t told) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(numbers_, told) - numbers_.begin());
}

RejectionBox::News RejectionBox::after(std::uint64_t told) const {
  SWEEPD_ASSERT(told <= count_);
  News news;
  news.listed = std::span(kept_).subspan(first_after(told));
  news.not_listed = count_ - told - news.listed.size();
  return news;
}

std::uint64_t RejectionBox::told_up_to(match::Tick tick, std::uint64_t told) const {
  const auto first = std::ranges::upper_bound(kept_, tick, {}, &match::Rejection::tick);
  if (first == kept_.end()) return told;
  return std::min(told, numbers_[static_cast<std::size_t>(first - kept_.begin())] - 1);
}

}  // namespace sweepd::runtime
