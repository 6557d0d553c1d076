// SPDX-License-Identifier: MIT
#include "runtime/journal/sqlite_journal.h"

#include <algorithm>

namespace sweepd::runtime {
namespace {

constexpr std::chrono::milliseconds kRetryPause{250};

}  // namespace

SqliteJournal::SqliteJournal(std::unique_ptr<JournalStore> store, SqliteJournalOptions options)
    : options_(std::move(options)), store_(std::move(store)), queue_(options_.queue_bytes_max) {
  if (options_.metrics != nullptr)
    options_.metrics->queue_bytes_max.set(static_cast<double>(options_.queue_bytes_max));
  is_failing_ = store_ == nullptr;
  if (is_failing_ && options_.metrics != nullptr) options_.metrics->failing.set(1);
  thread_ = std::thread([this] { run(); });
}

void SqliteJournal::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(stop_mutex_);
    is_stopping_ = true;
  }
  stop_changed_.notify_all();
  queue_.close();
  thread_.join();
}

Journal::Position SqliteJournal::append(JournalRecord record) {
  const Position position = queue_.push(std::move(record));
  if (position == 0 && options_.metrics != nullptr) options_.metrics->records_given_up.add();
  return position;
}

bool SqliteJournal::is_crowded() const { return !is_failing() && queue_.bytes() > queue_.bytes_max() / 2; }

bool SqliteJournal::has_room() const { return queue_.bytes() < queue_.bytes_max() / 4; }

void SqliteJournal::when_settled(Position position, std::function<void()> done) {
  {
    const std::lock_guard lock(waiting_mutex_);
    // Asked with the lock held: the thread that makes it durable, or fails, looks at the list afterwards.
    if (!is_settled(position)) {
      waiting_.emplace_back(position, std::move(done));
      return;
    }
  }
  done();
}

bool SqliteJournal::is_settled(Position position) const {
  return durable_position() >= position || is_failing() || settles_all_;
}

void SqliteJournal::settle_all() {
  settles_all_ = true;
  settle_waiting();
  const std::lock_guard lock(calling_mutex_);  // Callbacks that another thread was running are over.
}

void SqliteJournal::settle_waiting() {
  std::vector<std::function<void()>> settled;
  {
    const std::lock_guard lock(waiting_mutex_);
    const auto rest = std::stable_partition(waiting_.begin(), waiting_.end(),
                                            [this](const auto& entry) { return !is_settled(entry.first); });
    for (auto entry = rest; entry != waiting_.end(); ++entry) settled.push_back(std::move(entry->second));
    waiting_.erase(rest, waiting_.end());
  }
  const std::lock_guard lock(calling_mutex_);
  for (const auto& done : settled) done();
}

void SqliteJournal::run() {
  if (store_ || open_store()) write_groups();
  is_failing_.store(true, std::memory_order_release);  // Nothing will be settled any more.
  settle_waiting();
}

/// False: the server stops before the disk takes anything.
bool SqliteJournal::open_store() {
  do {
    try {
      auto store = options_.open();
      const std::lock_guard lock(store_mutex_);
      store_ = std::move(store);
    } catch (const StorageFailure& failure) {
      has_failed(failure);
      continue;
    }
    works_again();
    return true;
  } while (wait_for_another_try());
  return false;
}

void SqliteJournal::write_groups() {
  for (;;) {
    const JournalQueue::Group group = queue_.take(options_.flush);
    if (group.records.empty()) break;
    if (options_.metrics != nullptr)
      options_.metrics->oldest_undurable_age_seconds.set_since(std::chrono::steady_clock::now());
    while (!write(group)) {
      if (!wait_for_another_try()) break;
    }
  }
}

bool SqliteJournal::write(const JournalQueue::Group& group) {
  JournalMetrics* const metrics = options_.metrics;
  const auto start = std::chrono::steady_clock::now();
  if (metrics != nullptr) metrics->queue_bytes.set(static_cast<double>(queue_.bytes()));
  try {
    with_store([&](JournalStore& store) { store.write(group.records); });
  } catch (const StorageFailure& failure) {
    has_failed(failure);
    return false;
  }
  has_written(group);
  if (metrics == nullptr) return true;
  metrics->oldest_undurable_age_seconds.clear();
  metrics->queue_bytes.set(static_cast<double>(queue_.bytes()));
  metrics->commits.add();
  metrics->commit_seconds.observe(std::chrono::steady_clock::now() - start);
  metrics->records.add(group.records.size());
  for (const JournalRecord& record : group.records) metrics->bytes.add(record.content.size());
  return true;
}

void SqliteJournal::has_failed(const StorageFailure& failure) {
  if (options_.metrics != nullptr) {
    options_.metrics->failures.with(failure.kind()).add();
    options_.metrics->failing.set(1);
  }
  if (is_failing_.exchange(true, std::memory_order_acq_rel)) return;
  options_.on_health(failure.kind() + std::string(": ") + failure.what());
  settle_waiting();
}

void SqliteJournal::has_written(const JournalQueue::Group& group) {
  queue_.written();
  durable_.store(group.last, std::memory_order_release);
  works_again();
  settle_waiting();
  for (const JournalRecord& record : group.records) {
    if (record.kind == RecordKind::kEnded) options_.on_ended(record.match);
  }
}

void SqliteJournal::works_again() {
  if (options_.metrics != nullptr) options_.metrics->failing.set(0);
  if (is_failing_.exchange(false, std::memory_order_acq_rel)) options_.on_health(std::nullopt);
}

/// False: the server stops, and the disk has had its last chance.
bool SqliteJournal::wait_for_another_try() {
  std::unique_lock lock(stop_mutex_);
  return !stop_changed_.wait_for(lock, kRetryPause, [this] { return is_stopping_; });
}

}  // namespace sweepd::runtime
