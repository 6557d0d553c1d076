// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "replay/signing_key.h"
#include "runtime/journal/recent_ticks.h"
#include "runtime/journal/sqlite_journal.h"
#include "runtime/replays/replay_library.h"
#include "runtime/replays/replay_metrics.h"
#include "runtime/replays/replay_store.h"

namespace sweepd::runtime {

struct ArchivistOptions {
  std::filesystem::path journal_path = {};
  std::chrono::seconds compaction_interval{20};
  /// How long a request waits for the end of a match that is not on the disk yet.
  std::chrono::seconds patience{5};
  /// Why a piece of work without a caller could not be done.
  std::function<void(const std::string&)> on_trouble = [](const auto&) {};
  /// Whether replays can be written and removed (nothing), or why not. With every change.
  std::function<void(const std::optional<std::string>&)> on_health = [](const auto&) {};
  ReplayMetrics* metrics = nullptr;  ///< Null: none.
};

/// Looks after what has been written down, on a thread of its own: packs the journal's recent ticks, writes
/// the replays of matches that have ended and removes these from the journal, removes replays that are too
/// old or too many, and hands replays out. What it cannot write, as when the disk is full, it tries again.
class Archivist final : public ReplayLibrary {
 public:
  // Further ones fail (kBusy): requests that wait; replays being read; and, of those, copies of what running
  // matches have come to, which take room that no directory shows.
  static constexpr std::size_t kRequestsMax = 64;
  static constexpr int kFilesMax = 256;
  static constexpr int kCopiesMax = 16;

  Archivist(SqliteJournal& journal, ReplayStore& replays, const replay::SigningKey& key,
            ArchivistOptions options);
  ~Archivist() override;

  void open(const MatchId& id, std::optional<ReplayPoint> running, std::function<void(Opened)> done) override;
  Changed hold(const MatchId& id, bool is_held) override { return replays_.hold(id, is_held); }
  Changed remove(const MatchId& id) override { return replays_.remove(id); }
  const replay::PublicKey& public_key() const override { return public_key_; }
  void shut_down() override;

  /// The match has ended, and the journal has all of it. From any thread.
  void match_ended(JournalKey match);

 private:
  struct Request {
    MatchId id;
    std::optional<ReplayPoint> running;
    std::function<void(Opened)> done;
    std::chrono::steady_clock::time_point deadline;
  };

  void run();
  void add(Request request);
  bool wait_for_work();
  bool is_house_keeping_due();
  std::optional<Request> next_request();
  void answer(Request request);
  std::optional<Opened> find(const Request& request);
  std::optional<Opened> find_ended(const Request& request);
  std::optional<Opened> open_stored(const MatchId& id);
  std::optional<Opened> write_running(const Request& request);
  void keep_house();
  void compact();
  void write_ended();
  void try_house_work(const char* trouble, void (Archivist::*work)());
  void note_failure(const std::string& what);
  std::optional<ReplayError> write_replay(JournalKey match, const RecentTicks& recent);
  std::optional<ReplayError> write_replay(const JournalStore::StoredMatch& match, const RecentTicks& recent);
  std::optional<ReplayError> write_part(const JournalStore::StoredMatch& match, const RecentTicks& recent);
  void remove_excess();
  JournalStore& reader();
  RecentTicks read_recent(std::size_t content_bytes_max);

  SqliteJournal& journal_;
  ReplayStore& replays_;
  const replay::SigningKey& key_;
  const replay::PublicKey public_key_;
  const ArchivistOptions options_;
  std::unique_ptr<JournalStore> reader_;

  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  std::deque<Request> requests_;
  std::set<JournalKey> ended_;
  bool is_stopping_ = false;
  bool is_shut_down_ = false;

  using Count = std::shared_ptr<std::atomic<int>>;
  const Count files_ = std::make_shared<std::atomic<int>>(0);
  const Count copies_ = std::make_shared<std::atomic<int>>(0);
  std::chrono::steady_clock::time_point next_compaction_;
  std::chrono::steady_clock::time_point next_house_keeping_;
  std::set<std::string> told_damage_;
  std::optional<std::string> round_failure_;  ///< The first of this round of house keeping.
  bool is_failing_ = false;
  std::thread thread_;
};

}  // namespace sweepd::runtime
