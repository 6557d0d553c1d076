// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "session/admission.h"

namespace sweepd::session {

/// Tickets that were found good, by the SHA-256 of their tokens: a client shows its ticket with every call,
/// and only the first one costs a verification. Of one set of keys: changed keys begin with an empty cache.
/// Holds good tickets only, so that bad ones push none out. Thread-safe.
class TicketCache {
 public:
  /// Where there are more, those that were not shown lately are forgotten: at least the last half of so many
  /// stays.
  static constexpr std::size_t kTicketsMax = 32'768;

  explicit TicketCache(std::size_t tickets_max = kTicketsMax) : generation_max_(tickets_max / 2 / kShards) {}

  /// Nothing: not known, or its time is over.
  std::optional<Admission> find(const std::string& digest, std::int64_t now_s);
  void put(const std::string& digest, const Admission& admission);
  std::size_t size() const;

 private:
  static constexpr std::size_t kShards = 16;

  using Tickets = std::unordered_map<std::string, Admission>;
  /// The one that digests of that beginning are in, so that loops seldom wait for each other.
  struct Shard {
    mutable std::mutex mutex;
    Tickets recent;  ///< Guarded by mutex, as the next.
    Tickets former;
  };

  Shard& shard_of(const std::string& digest) {
    return shards_[static_cast<unsigned char>(digest.front()) % kShards];
  }
  void put_in(Shard& shard, const std::string& digest, const Admission& admission);

  const std::size_t generation_max_;
  std::array<Shard, kShards> shards_;
};

}  // namespace sweepd::session
