// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/data_directory.h"
#include "runtime/health.h"
#include "runtime/journal/recovery.h"
#include "runtime/journal/sqlite_journal.h"
#include "runtime/replays/archivist.h"

namespace sweepd::runtime {

struct StorageOptions {
  std::filesystem::path directory = {};
  std::filesystem::path signing_key = {};  ///< Empty: the one in the directory, made on the first start.
  std::chrono::milliseconds journal_flush{20};
  std::size_t journal_queue_bytes_max = std::size_t{64} << 20;
  JournalSync journal_sync = JournalSync::kFull;
  ReplayLimits replay_limits = {};
  Health* health = nullptr;    ///< Null: nobody asks.
  Metrics* metrics = nullptr;  ///< Null: none.
  /// For the operator: what is wrong with what is on the disk, or with the disk; and that it is well again.
  /// From any thread.
  std::function<void(const std::string&)> on_trouble = [](const auto&) {};
  std::function<void(const std::string&)> on_news = [](const auto&) {};
};

/// Everything that a server keeps on disk: its journal, its replays, its key. It outlives whoever uses them.
class Storage {
 public:
  /// Brings back what was there. Takes as long as that takes. The error says why nothing can be kept there.
  static base::Result<std::unique_ptr<Storage>, std::string> open(StorageOptions options);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  Journal& journal() { return *journal_; }
  ReplayLibrary& replays() { return *archivist_; }

  /// The matches that ran when the last server died. Once.
  std::vector<RecoveredMatch> take_matches() { return std::move(recovery_.matches); }

 private:
  Storage(StorageOptions options, DataDirectory directory, replay::SigningKey key,
          std::unique_ptr<ReplayStore> replays);
  void start();
  std::unique_ptr<JournalStore> recover_matches();
  void set_journal_aside(const std::string& what);
  std::filesystem::path fresh_journal() const { return directory_.journal().string() + ".fresh"; }
  void put_fresh_journal_in_place();
  void tell_recovery();
  void tell_health(const std::optional<std::string>& failure);
  void set_health(const char* component, const std::optional<std::string>& failure);

  const StorageOptions options_;
  DataDirectory directory_;
  const replay::SigningKey key_;
  std::unique_ptr<JournalMetrics> journal_metrics_;
  std::unique_ptr<ReplayMetrics> replay_metrics_;
  Recovery recovery_;
  std::unique_ptr<ReplayStore> replays_;
  std::unique_ptr<SqliteJournal> journal_;
  std::unique_ptr<Archivist> archivist_;
};

}  // namespace sweepd::runtime
