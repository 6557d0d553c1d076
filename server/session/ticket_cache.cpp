// SPDX-License-Identifier: MIT
#include "session/ticket_cache.h"

#include <utility>

namespace sweepd::session {

std::optional<Admission> TicketCache::find(const std::string& digest, std::int64_t now_s) {
  Shard& shard = shard_of(digest);
  const std::lock_guard lock(shard.mutex);
  const auto recent = shard.recent.find(digest);
  if (recent != shard.recent.end()) {
    if (now_s < recent->second.expires_s) return recent->second;
    shard.recent.erase(recent);
    return std::nullopt;
  }
  const auto former = shard.former.extract(digest);
  if (former.empty() || now_s >= former.mapped().expires_s) return std::nullopt;
  put_in(shard, digest, former.mapped());
  return former.mapped();
}

void TicketCache::put(const std::string& digest, const Admission& admission) {
  Shard& shard = shard_of(digest);
  const std::lock_guard lock(shard.mutex);
  put_in(shard, digest, admission);
}

void TicketCache::put_in(Shard& shard, const std::string& digest, const Admission& admission) {
  if (shard.recent.size() >= generation_max_) shard.former = std::exchange(shard.recent, {});
  shard.recent.insert_or_assign(digest, admission);
}

std::size_t TicketCache::size() const {
  std::size_t size = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    size += shard.recent.size() + shard.former.size();
  }
  return size;
}

}  // namespace sweepd::session
