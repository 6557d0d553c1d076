// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/history/history.h"

namespace sweepd::match {

/// One life of an object.
struct LifeName {
  ObjectId object = 0;
  Tick born = 0;
  friend auto operator<=>(const LifeName&, const LifeName&) = default;
};

/// Which shots have hit what, by confirmed claims, for as long as the history knows both: they cannot be
/// claimed any more after that.
class ClaimLedger {
 public:
  void add(const LifeName& shot, const LifeName& target);
  bool has(const LifeName& shot, const LifeName& target) const;
  std::uint64_t hits_of(const LifeName& shot) const;

  /// Forgets, now and then, objects that the history has forgotten.
  void clean(const History& history);

  std::size_t size() const { return size_; }  ///< Pairs that it remembers.

  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  struct Hits {
    std::uint64_t count = 0;
    std::set<LifeName> targets;  // That have not been forgotten.
  };

  void restore_targets(base::ByteReader& reader, Hits& hits);

  std::map<LifeName, Hits> hits_;  // By shot.
  std::size_t size_ = 0;
  std::size_t size_to_clean_ = 1024;
};

}  // namespace sweepd::match
