// SPDX-License-Identifier: MIT
#include "bench/pair_history.h"

namespace sweepd::bench {
namespace {

collision::OverlapPair pair_of(std::uint64_t key) {
  return {static_cast<collision::PartHandle>(key >> 32), static_cast<collision::PartHandle>(key)};
}

}  // namespace

std::uint32_t& PairHistory::link_to(std::uint32_t index) {
  std::uint32_t* link = &buckets_[bucket_of(records_[index].key)];
  while (*link != index) link = &records_[*link].next;
  return *link;
}

void PairHistory::insert(std::uint64_t key) {
  if (records_.size() == buckets_.size()) grow();
  std::uint32_t& bucket = buckets_[bucket_of(key)];
  records_.push_back({key, tick_, bucket});
  bucket = static_cast<std::uint32_t>(records_.size() - 1);
  overlaps_->began.push_back(pair_of(key));
}

void PairHistory::grow() {
  buckets_.assign(buckets_.size() * 2, kNone);
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    std::uint32_t& bucket = buckets_[bucket_of(records_[i].key)];
    records_[i].next = bucket;
    bucket = i;
  }
}

void PairHistory::remove(std::uint32_t index) {
  link_to(index) = records_[index].next;
  const auto last = static_cast<std::uint32_t>(records_.size() - 1);
  if (index != last) {
    link_to(last) = index;
    records_[index] = records_[last];
  }
  records_.pop_back();
}

void PairHistory::end_tick() {
  for (std::uint32_t i = 0; i < records_.size();) {
    if (records_[i].seen == tick_) {
      ++i;
      continue;
    }
    overlaps_->ended.push_back(pair_of(records_[i].key));
    remove(i);
  }
}

}  // namespace sweepd::bench
