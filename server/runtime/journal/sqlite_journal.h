// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/journal/journal.h"
#include "runtime/journal/journal_metrics.h"
#include "runtime/journal/journal_queue.h"
#include "runtime/journal/journal_store.h"

namespace sweepd::runtime {

struct SqliteJournalOptions {
  std::chrono::milliseconds flush{20};  ///< How long records wait for others to be written with.
  std::size_t queue_bytes_max = std::size_t{64} << 20;
  std::uint64_t match_bytes_per_second = 0;  ///< 0: no limit.
  /// The disk takes nothing (why), or takes what comes again (nothing). Called by the writer's thread.
  std::function<void(const std::optional<std::string>&)> on_health = [](const auto&) {};
  /// A match has ended, and that is durable. Called by the writer's thread.
  std::function<void(JournalKey)> on_ended = [](JournalKey) {};
  /// For a journal that begins without a store: opens it, and is asked again while it throws StorageFailure.
  /// Called by the writer's thread.
  std::function<std::unique_ptr<JournalStore>()> open = {};
  JournalMetrics* metrics = nullptr;  ///< Null: none.
};

/// The journal in a SQLite database, with a thread of its own that writes it.
class SqliteJournal final : public Journal {
 public:
  /// `store` null: the disk takes nothing yet; until `options.open` succeeds the journal is failing.
  SqliteJournal(std::unique_ptr<JournalStore> store, SqliteJournalOptions options);
  /// Writes what waits; what the disk does not take then is lost.
  ~SqliteJournal() override { stop(); }
  /// The same while it still can be asked, and the store be used.
  void stop();

  Position append(JournalRecord record) override;
  Position durable_position() const override { return durable_.load(std::memory_order_acquire); }
  bool is_crowded() const override;
  bool has_room() const override;
  bool is_failing() const override { return is_failing_.load(std::memory_order_acquire); }
  void when_settled(Position position, std::function<void()> done) override;
  void settle_all() override;
  std::size_t match_bytes_max() const override { return queue_.bytes_max() / 4; }

  std::uint64_t match_bytes_per_second() const override { return options_.match_bytes_per_second; }

  std::size_t queue_bytes() const { return queue_.bytes(); }

  /// Runs `work` on the store between two groups. It may throw StorageFailure, as does this where there is
  /// no store yet. Short: groups wait meanwhile.
  template <typename Work>
  void with_store(Work&& work) {
    const std::lock_guard lock(store_mutex_);
    if (!store_) throw StorageFailure(0, "the journal is not open yet");
    work(*store_);
  }

 private:
  void run();
  void write_groups();
  bool open_store();
  void works_again();
  bool write(const JournalQueue::Group& group);
  void has_failed(const StorageFailure& failure);
  void has_written(const JournalQueue::Group& group);
  bool is_settled(Position position) const;
  void settle_waiting();
  bool wait_for_another_try();

  const SqliteJournalOptions options_;
  std::mutex store_mutex_;
  std::unique_ptr<JournalStore> store_;
  JournalQueue queue_;
  std::atomic<Position> durable_ = 0;
  std::atomic<bool> is_failing_ = false;
  std::atomic<bool> settles_all_ = false;

  std::mutex calling_mutex_;  ///< While callbacks that waited run.
  std::mutex waiting_mutex_;
  std::vector<std::pair<Position, std::function<void()>>> waiting_;

  std::mutex stop_mutex_;
  std::condition_variable stop_changed_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace sweepd::runtime
