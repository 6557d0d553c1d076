// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::bench {

/// How often anybody has asked the heap for memory: operator new, malloc and their like, of this program and
/// of all libraries. 0 for ever where a sanitizer has the heap.
struct HeapUse {
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;
};

HeapUse heap_use_of_this_thread();
HeapUse heap_use_of_process();

inline HeapUse operator-(const HeapUse& a, const HeapUse& b) {
  return {a.allocations - b.allocations, a.bytes - b.bytes};
}

}  // namespace sweepd::bench
