// SPDX-License-Identifier: MIT
#include "replay/recorder.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace sweepd::replay {

Recorder::Recorder(std::unique_ptr<match::Match> match, Keeps keeps)
    : match_(std::move(match)), encoder_(keeps == Keeps::kTicks ? std::make_unique<TickEncoder>() : nullptr) {
  if (encoder_) match_->set_log(this);
}

void Recorder::took(const SeatChange& change) {
  // A participant that is back before a tick has run was never away, and cannot fill the log by coming and
  // going.
  if (const Back* back = std::get_if<Back>(&change); back && encoder_->take_back_away(back->number)) {
    const auto last = std::find(arrivals_.rbegin(), arrivals_.rend(), SeatChange(Away{back->number}));
    SWEEPD_ASSERT(last != arrivals_.rend());
    arrivals_.erase(std::next(last).base());
    return;
  }
  encoder_->add(match_->tick() + 1, change);
  arrivals_.push_back(change);
  if (std::holds_alternative<Join>(change)) ++joins_;
}

void Recorder::took(const Submission& submission) { encoder_->add(match_->tick() + 1, submission); }

const match::TickOutput& Recorder::close(const match::TickOutput& output, bool ends_match) {
  if (!encoder_) return output;
  SWEEPD_ASSERT(!closed_);
  encoder_->close(output.tick, output.digest, ends_match);
  closed_ = ClosedTick{encoder_->take(), std::exchange(arrivals_, {})};
  joins_ = 0;
  return output;
}

Recorder::ClosedTick Recorder::take_tick() {
  SWEEPD_ASSERT(closed_.has_value());
  ClosedTick tick = *std::move(closed_);
  closed_.reset();
  return tick;
}

}  // namespace sweepd::replay
