// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "runtime/journal/journal.h"

namespace sweepd::runtime {

/// Records on their way to the disk, in order. Bounded by bytes; a record that does not fit is refused.
/// Thread-safe.
class JournalQueue {
 public:
  explicit JournalQueue(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  /// 0: there is no room for it, or the queue is closed.
  Journal::Position push(JournalRecord record);

  struct Group {
    std::vector<JournalRecord> records = {};
    Journal::Position last = 0;  ///< Of the last of them.
  };
  /// Waits until there is something, then `gathering` more for company, and takes all of it. Empty: the queue
  /// is closed, and there will be nothing any more. What is taken counts as waiting until `written`.
  Group take(std::chrono::milliseconds gathering);
  /// The group that was taken is on the disk.
  void written();

  /// No more records are taken; those that wait can still be.
  void close();

  std::size_t bytes() const;
  std::size_t bytes_max() const { return bytes_max_; }

 private:
  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<JournalRecord> records_;
  std::size_t bytes_waiting_ = 0;
  std::size_t bytes_taken_ = 0;
  Journal::Position last_ = 0;
  bool is_closed_ = false;
};

}  // namespace sweepd::runtime
