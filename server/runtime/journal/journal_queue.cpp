// SPDX-License-Identifier: MIT
#include "runtime/journal/journal_queue.h"

#include <utility>

#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

std::size_t size_of(const JournalRecord& record) { return sizeof record + record.content.size(); }

}  // namespace

JournalKey random_journal_key() {
  JournalKey key = 0;
  while (key == 0) fill_with_random_bytes(&key, sizeof key);
  return key >> 1 | 1;  // SQLite's integers have a sign.
}

Journal::Position JournalQueue::push(JournalRecord record) {
  const std::lock_guard lock(mutex_);
  const std::size_t size = size_of(record);
  if (is_closed_ || bytes_waiting_ + bytes_taken_ + size > bytes_max_) return 0;
  bytes_waiting_ += size;
  records_.push_back(std::move(record));
  if (records_.size() == 1) changed_.notify_all();
  return ++last_;
}

JournalQueue::Group JournalQueue::take(std::chrono::milliseconds gathering) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !records_.empty() || is_closed_; });
  if (!is_closed_) changed_.wait_for(lock, gathering, [this] { return is_closed_; });
  bytes_taken_ = std::exchange(bytes_waiting_, 0);
  return {std::exchange(records_, {}), last_};
}

void JournalQueue::written() {
  const std::lock_guard lock(mutex_);
  bytes_taken_ = 0;
}

void JournalQueue::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

std::size_t JournalQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_waiting_ + bytes_taken_;
}

}  // namespace sweepd::runtime
