// SPDX-License-Identifier: MIT
#include "match/claims/claim_ledger.h"

#include <algorithm>

namespace sweepd::match {
namespace {

void write(base::ByteWriter& writer, const LifeName& life) {
  const auto& [object, born] = life;
  writer.number(object);
  writer.number(born);
}

LifeName read_life(base::ByteReader& reader) {
  const ObjectId object = reader.number32();
  return {object, reader.number()};
}

}  // namespace

void ClaimLedger::add(const LifeName& shot, const LifeName& target) {
  Hits& hits = hits_[shot];
  ++hits.count;
  if (hits.targets.insert(target).second) ++size_;
}

bool ClaimLedger::has(const LifeName& shot, const LifeName& target) const {
  const auto found = hits_.find(shot);
  return found != hits_.end() && found->second.targets.contains(target);
}

std::uint64_t ClaimLedger::hits_of(const LifeName& shot) const {
  const auto found = hits_.find(shot);
  return found == hits_.end() ? 0 : found->second.count;
}

void ClaimLedger::clean(const History& history) {
  if (size_ < size_to_clean_) return;
  const auto is_forgotten = [&](const LifeName& life) { return !history.knows(life.object, life.born); };
  std::erase_if(hits_, [&](const auto& entry) { return is_forgotten(entry.first); });
  size_ = 0;
  for (auto& [shot, hits] : hits_) {
    std::erase_if(hits.targets, is_forgotten);
    size_ += hits.targets.size();
  }
  size_to_clean_ = std::max<std::size_t>(1024, 2 * size_);
}

/// Names every member: a new one does not compile until it is saved, or found to need no saving.
void ClaimLedger::save(base::ByteWriter& writer) const {
  const auto& [all_hits, size, size_to_clean] = *this;
  writer.number(size_to_clean);
  writer.number(all_hits.size());
  for (const auto& [shot, hits] : all_hits) {
    const auto& [count, targets] = hits;
    write(writer, shot);
    writer.number(count);
    writer.number(targets.size());
    for (const LifeName& target : targets) write(writer, target);
  }
}

void ClaimLedger::restore(base::ByteReader& reader) {
  size_to_clean_ = static_cast<std::size_t>(reader.number(std::uint64_t{1} << 40));
  for (std::size_t i = reader.count(4); i > 0 && reader.ok(); --i) {
    const LifeName shot = read_life(reader);
    reader.require(hits_.empty() || hits_.rbegin()->first < shot, "is a shot out of its order");
    Hits& hits = hits_[shot];
    hits.count = reader.number();
    restore_targets(reader, hits);
  }
}

void ClaimLedger::restore_targets(base::ByteReader& reader, Hits& hits) {
  for (std::size_t i = reader.count(2); i > 0 && reader.ok(); --i) {
    const LifeName target = read_life(reader);
    reader.require(hits.targets.empty() || *hits.targets.rbegin() < target, "is a target out of its order");
    hits.targets.insert(hits.targets.end(), target);
    ++size_;
  }
}

}  // namespace sweepd::match
