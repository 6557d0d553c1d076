// SPDX-License-Identifier: MIT
#include "bench/server_bench_heap.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SWEEPD_BENCH_HEAP_IS_TAKEN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SWEEPD_BENCH_HEAP_IS_TAKEN 1
#endif

namespace sweepd::bench {
namespace {

thread_local HeapUse of_this_thread;
std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> bytes{0};

#ifndef SWEEPD_BENCH_HEAP_IS_TAKEN
void count(std::size_t size) {
  ++of_this_thread.allocations;
  of_this_thread.bytes += size;
  allocations.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(size, std::memory_order_relaxed);
}
#endif

}  // namespace

HeapUse heap_use_of_this_thread() { return of_this_thread; }
HeapUse heap_use_of_process() { return {allocations.load(), bytes.load()}; }

}  // namespace sweepd::bench

#ifndef SWEEPD_BENCH_HEAP_IS_TAKEN
// glibc's own, under the names by which it can be reached once these here stand in front of it. operator new
// asks malloc.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  sweepd::bench::count(size);
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  sweepd::bench::count(count * size);
  return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  sweepd::bench::count(size);
  return __libc_realloc(block, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  sweepd::bench::count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  sweepd::bench::count(size);
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}
#endif
