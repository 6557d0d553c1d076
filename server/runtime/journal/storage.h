// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/journal/data_directory.h"
#include "runtime/journal/journal_files.h"
#include "runtime/journal/lost_ticks.h"
#include "runtime/journal/recovery.h"
#include "runtime/journal/sqlite_journal.h"
#include "runtime/replays/archivist.h"
#include "runtime/telemetry/health.h"

namespace sweepd::runtime {

struct StorageOptions {
  std::filesystem::path directory = {};
  std::filesystem::path signing_key = {};  ///< Empty: the one in the directory, made on the first start.
  std::chrono::milliseconds journal_flush{20};
  std::size_t journal_queue_bytes_max = std::size_t{64} << 20;
  std::uint64_t match_bytes_per_second = 0;  ///< Of one match, to the journal; 0: no limit.
  JournalSync journal_sync = JournalSync::kFull;
  /// Begin an empty journal where the directory shows that there was one and it is gone.
  bool accepts_missing_journal = false;
  ReplayLimits replay_limits = {};
  Health* health = nullptr;    ///< Null: it is not told.
  Metrics* metrics = nullptr;  ///< Null: none.
  /// For the operator: what is wrong with what is on the disk, or with the disk; and that it is well again.
  /// From any thread.
  std::function<void(const std::string&)> on_trouble = [](const auto&) {};
  std::function<void(const std::string&)> on_news = [](const auto&) {};
};

/// Everything that a server keeps on disk: its journal, its replays, its key. It outlives its users.
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
  /// What damage has cost, as found at the start.
  const std::vector<LostTicks>& lost_ticks() const { return lost_; }

 private:
  Storage(StorageOptions options, DataDirectory directory, replay::SigningKey key,
          std::unique_ptr<ReplayStore> replays);
  void start();
  std::unique_ptr<JournalStore> recover_matches();
  std::unique_ptr<JournalStore> open_store(const std::filesystem::path& path);
  std::unique_ptr<JournalStore> recover_from_file();
  std::unique_ptr<JournalStore> recover_for_writing();
  void recover_in_memory();
  std::unique_ptr<JournalStore> open_late();
  void refuse_missing_journal();
  bool has_replay(const MatchId& id);
  void drop_those_with_replays();
  void count_losses();
  void settle_store(JournalStore& store);
  void set_journal_aside(const std::string& what);
  std::filesystem::path fresh_journal() const { return directory_.journal().string() + ".fresh"; }
  void put_fresh_journal_in_place();
  void tell_recovery();
  void tell_losses();
  void tell_health(const std::optional<std::string>& failure);
  void set_health(const char* component, const std::optional<std::string>& failure);

  const StorageOptions options_;
  DataDirectory directory_;
  const replay::SigningKey key_;
  std::unique_ptr<JournalMetrics> journal_metrics_;
  std::unique_ptr<ReplayMetrics> replay_metrics_;
  Recovery recovery_;
  std::optional<Witness::Contents> witnessed_;  ///< What the last server left.
  std::vector<LostTicks> lost_;
  std::vector<JournalKey> over_;         ///< Matches in the journal that are none any more.
  std::vector<JournalRecord> states_;    ///< Of matches that lost ticks, to be written.
  std::vector<Witness::Entry> entries_;  ///< For the witness.
  std::optional<std::string> failure_;   ///< Why the journal cannot be written at the start.
  std::unique_ptr<ReplayStore> replays_;
  std::unique_ptr<SqliteJournal> journal_;
  std::unique_ptr<JournalFiles> files_;
  std::unique_ptr<Archivist> archivist_;
};

}  // namespace sweepd::runtime
