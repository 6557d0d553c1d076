// SPDX-License-Identifier: MIT
#include "collision/broadphase/sweep.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

// Tests of a block leave one byte each, which compilers turn into vector code; hits are rare, so that eight
// bytes at a time are passed over. A run ends within a block: lists are readable that far, and what lies
// beyond is masked.
constexpr std::size_t kBlock = SweepList::kReadableBeyond;
static_assert(std::endian::native == std::endian::little, "the first byte of a word is its lowest");

template <typename Test, typename Hit>
void for_each_hit(std::size_t begin, std::size_t end, Test test, Hit hit) {
  for (; begin < end; begin += kBlock) {
    std::array<std::uint8_t, kBlock> hits;
    for (std::size_t i = 0; i < kBlock; ++i) hits[i] = test(begin + i);
    for (std::size_t first = begin; first < end && first < begin + kBlock; first += 8) {
      std::uint64_t word;
      std::memcpy(&word, &hits[first - begin], sizeof word);
      if (end - first < 8) word &= (std::uint64_t{1} << 8 * (end - first)) - 1;
      for (; word != 0; word &= word - 1) hit(first + static_cast<std::size_t>(std::countr_zero(word)) / 8);
    }
  }
}

// The end of a run is looked for in strides of so many entries.
constexpr std::size_t kStride = 8;

/// The end of those entries from `begin` on that start no later than `last`; firsts ascend.
std::size_t find_run_end(const SweepList& list, std::size_t begin, Subunits last) {
  const Subunits* firsts = list.firsts();
  std::size_t end = begin;
  while (end + kStride <= list.size() && firsts[end + kStride - 1] <= last) end += kStride;
  while (end < list.size() && firsts[end] <= last) ++end;
  return end;
}

/// One entry against entries [begin, end) of `list`, both axes.
void test_all(const Extent& one, SweepTag tag, const SweepList& list, std::size_t begin,
              const PairVerifier& verifier) {
  const Subunits* firsts = list.firsts();
  const Subunits* lasts = list.lasts();
  const Subunits* cross_firsts = list.cross_firsts();
  const Subunits* cross_lasts = list.cross_lasts();
  for_each_hit(
      begin, list.size(),
      [=](std::size_t i) -> std::uint8_t {
        return static_cast<std::uint8_t>((firsts[i] <= one.last) & (lasts[i] >= one.first) &
                                         (cross_firsts[i] <= one.cross_last) &
                                         (cross_lasts[i] >= one.cross_first));
      },
      [&](std::size_t i) { verifier.consider(tag, list.tag(i)); });
}

/// One entry against those from `begin` on which start within it; none of them starts before it.
void test_run(const Extent& one, SweepTag tag, const SweepList& list, std::size_t begin,
              const PairVerifier& verifier) {
  const Subunits* cross_firsts = list.cross_firsts();
  const Subunits* cross_lasts = list.cross_lasts();
  for_each_hit(
      begin, find_run_end(list, begin, one.last),
      [=](std::size_t i) -> std::uint8_t {
        return static_cast<std::uint8_t>((cross_firsts[i] <= one.cross_last) &
                                         (cross_lasts[i] >= one.cross_first));
      },
      [&](std::size_t i) { verifier.consider(tag, list.tag(i)); });
}

}  // namespace

void scan(const SweepList& a, const SweepList& b, const PairVerifier& verifier) {
  const SweepList& few = a.size() <= b.size() ? a : b;
  const SweepList& many = a.size() <= b.size() ? b : a;
  for (std::size_t i = 0; i < few.size(); ++i) test_all(few[i], few.tag(i), many, 0, verifier);
}

void scan_self(const SweepList& list, const PairVerifier& verifier) {
  for (std::size_t i = 0; i < list.size(); ++i) test_all(list[i], list.tag(i), list, i + 1, verifier);
}

void sweep(const SweepList& a, const SweepList& b, const PairVerifier& verifier) {
  // Each pair is found by the entry that starts first; of two that start together, by the one of `a`.
  std::size_t next_a = 0;
  std::size_t next_b = 0;
  while (next_a < a.size() && next_b < b.size()) {
    if (a.firsts()[next_a] <= b.firsts()[next_b]) {
      test_run(a[next_a], a.tag(next_a), b, next_b, verifier);
      ++next_a;
    } else {
      test_run(b[next_b], b.tag(next_b), a, next_a, verifier);
      ++next_b;
    }
  }
}

void sweep_self(const SweepList& list, const PairVerifier& verifier) {
  for (std::size_t i = 0; i < list.size(); ++i) test_run(list[i], list.tag(i), list, i + 1, verifier);
}

}  // namespace sweepd::collision
