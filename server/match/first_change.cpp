// SPDX-License-Identifier: MIT
#include "match/first_change.h"

namespace sweepd::match {

/// Kinds of the contract's first version are told before those that were added to it.
const char* first_change(const Frame& frame) {
  const char* first = nullptr;
  for (const bool is_added : {false, true}) {
    for_each_kind(frame, [&](auto kind, const auto& list) {
      if (first != nullptr || changes_in(list).empty()) return;
      if ((kind.kind > FrameChange::kDespawn) != is_added) return;
      first = kind.list;
      if (kind.kind == FrameChange::kMove && frame.relative_moves == 0) first = "absolute_moves";
    });
  }
  return first;
}

}  // namespace sweepd::match
