// SPDX-License-Identifier: MIT
#include "runtime/journal/durability_watch.h"

#include <utility>

namespace sweepd::runtime {

void DurabilityWatch::watch(Journal::Position position) {
  if (std::exchange(is_waiting_, true)) return;
  journal_->when_settled(position,
                         [loop = loop_, report = posts_.bind([this] { settled(); })] { loop->post(report); });
}

void DurabilityWatch::settled() {
  is_waiting_ = false;
  on_settled_();
}

bool DurabilityWatch::move_to(Loop& loop) {
  posts_.revoke();
  loop_ = &loop;
  return std::exchange(is_waiting_, false);
}

}  // namespace sweepd::runtime
