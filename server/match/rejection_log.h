// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/config.h"
#include "match/rejection.h"

namespace sweepd::match {

/// The rejections of the tick in progress, by participant. Bounded: past kRejectionsListedMax of a
/// participant they are counted only.
class RejectionLog {
 public:
  /// `describe` makes the rejection, and is called only where it will be listed: text is what costs.
  template <typename Describe>
  void add(ParticipantNumber number, Describe&& describe) {
    Entry& entry = entry_of(number);
    has_any_ = true;
    if (entry.listed.size() < kRejectionsListedMax) {
      entry.listed.push_back(describe());
    } else {
      ++entry.not_listed;
    }
  }

  /// Forgets what a participant that left would have been told.
  void forget(ParticipantNumber number) {
    if (number < entries_.size()) entries_[number] = {};
  }

  /// Closes the tick: `listed` and `not_listed` stay valid until the next call of this.
  void close_tick();
  std::span<const Rejection> listed() const { return listed_; }
  std::span<const UnlistedRejections> not_listed() const { return not_listed_; }

  /// Those that are yet to be told.
  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  struct Entry {
    std::vector<Rejection> listed;
    std::uint64_t not_listed = 0;
  };
  static constexpr std::size_t kEntriesMax = kParticipantsMax + kObserversMax;

  Entry& entry_of(ParticipantNumber number) {
    SWEEPD_ASSERT(number < kEntriesMax);
    if (number >= entries_.size()) entries_.resize(number + 1u);
    return entries_[number];
  }

  std::vector<Entry> entries_;  ///< By participant, as many as needed.
  bool has_any_ = false;        ///< In `entries_`, or had before they were forgotten.
  std::vector<Rejection> listed_;
  std::vector<UnlistedRejections> not_listed_;
};

}  // namespace sweepd::match
