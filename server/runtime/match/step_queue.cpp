// SPDX-License-Identifier: MIT
#include "runtime/match/step_queue.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {

void StepQueue::add(StepId id, const StepRequest& request, StepCallback callback) {
  SWEEPD_ASSERT(request.ticks > 0);
  if (request.wait_for_frames ? waiting_.has_value() : steps_.size() == kStepsMax) {
    callback(StepError::kStepInProgress);
    return;
  }
  Step step{id, request.ticks, std::move(callback)};
  if (request.wait_for_frames) {
    waiting_ = std::move(step);
  } else {
    steps_.push_back(std::move(step));
  }
}

void StepQueue::cancel(StepId id) {
  std::optional<Step> cancelled;
  if (waiting_ && waiting_->id == id) {
    cancelled = std::exchange(waiting_, std::nullopt);
  } else {
    const auto it =
        std::find_if(steps_.begin(), steps_.end(), [id](const Step& step) { return step.id == id; });
    if (it == steps_.end()) return;
    cancelled = std::move(*it);
    steps_.erase(it);
  }
  cancelled->callback(StepError::kCancelled);
}

void StepQueue::fail_all(StepError error) {
  auto steps = std::exchange(steps_, {});
  if (auto waiting = std::exchange(waiting_, std::nullopt)) steps.push_back(std::move(*waiting));
  for (const Step& step : steps) step.callback(error);
}

void StepQueue::count_tick(const StepResult& result) {
  SWEEPD_ASSERT(!empty());
  Step& step = steps_.empty() ? *waiting_ : steps_.front();
  if (--step.ticks_left > 0) return;
  const Step finished = std::move(step);
  if (steps_.empty()) {
    waiting_.reset();
  } else {
    steps_.pop_front();
  }
  finished.callback(result);
}

}  // namespace sweepd::runtime
