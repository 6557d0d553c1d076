// SPDX-License-Identifier: MIT
#pragma once

#include "match/frame.h"

namespace sweepd::match {

/// Calls `test(OfKind<...>, frame)` for each kind of change, with a frame that has one of that kind alone.
template <typename Test>
void for_each_single_change(const Test& test) {
  Frame empty;
  for_each_kind(empty, [&](auto kind, auto&) {
    Frame frame;
    for_each_kind(frame, [&](auto other, auto& list) {
      if constexpr (other.kind != kind.kind) {
        return;
      } else if constexpr (requires { list.emplace_back(); }) {
        list.emplace_back();
      } else {
        list.emplace();
      }
    });
    test(kind, frame);
  });
}

/// How many of one kind a frame has.
inline std::size_t count_of(FrameChange kind, const Frame& frame) {
  std::size_t count = 0;
  for_each_kind(frame, [&](auto other, const auto& list) {
    if (other.kind == kind) count = changes_in(list).size();
  });
  return count;
}

}  // namespace sweepd::match
