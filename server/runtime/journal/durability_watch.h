// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <utility>

#include "runtime/journal/journal.h"
#include "runtime/loop/callback_guard.h"
#include "runtime/loop/loop.h"

namespace sweepd::runtime {

/// Reports, on a match's loop, that what was written has settled (Journal::when_settled): once for all that
/// is asked until then.
class DurabilityWatch {
 public:
  /// `journal`: null: `watch` is not called.
  DurabilityWatch(Loop& loop, Journal* journal, std::function<void()> on_settled)
      : loop_(&loop), journal_(journal), on_settled_(std::move(on_settled)) {}
  DurabilityWatch(const DurabilityWatch&) = delete;
  DurabilityWatch& operator=(const DurabilityWatch&) = delete;

  /// Ignored while it waits already.
  void watch(Journal::Position position);

  /// It no longer waits. Whether it did: then the owner may call `watch` again.
  bool move_to(Loop& loop);

 private:
  void settled();

  Loop* loop_;
  Journal* const journal_;
  const std::function<void()> on_settled_;
  CallbackGuard posts_;
  bool is_waiting_ = false;
};

}  // namespace sweepd::runtime
