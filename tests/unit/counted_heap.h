// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

// Counts what a program asks of the heap. It replaces the global operators, so one file of a program includes
// it, and no program that is built with sanitizers: these have operators of their own.
namespace sweepd::test {

inline std::size_t allocations = 0;  // The tests of such a program run in one thread.

inline void* allocate(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace sweepd::test

// Not inlined: the compiler would see one half of a pair as malloc or free, and the other not.
[[gnu::noinline]] void* operator new(std::size_t size) { return sweepd::test::allocate(size); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return sweepd::test::allocate(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
