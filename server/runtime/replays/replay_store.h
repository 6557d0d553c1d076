// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/match/match_id.h"
#include "runtime/replays/replay_error.h"
#include "runtime/replays/replay_file.h"
#include "runtime/replays/replay_index.h"
#include "runtime/replays/replay_writing.h"

namespace sweepd::runtime {

/// How long replays are kept, and how many.
struct ReplayLimits {
  std::chrono::seconds replay_age_max = std::chrono::seconds::max();
  std::uint64_t replay_bytes_max = std::numeric_limits<std::uint64_t>::max();  ///< Of all together.
  ByKind<std::uint64_t> bytes_of_key = {};  ///< Of matches that one of a kind has created; 0: no limit.
};

enum class RemovalReason : std::uint8_t { kAge, kSize, kQuota };

/// What retention has done.
struct Removal {
  struct Replay {
    MatchId id = {};
    std::uint64_t size_bytes = 0;
    RemovalReason reason = RemovalReason::kAge;
  };
  std::vector<Replay> removed = {};
  std::optional<std::string> error = {};  ///< The first one, where some could not be removed.
};

/// The replays of matches that are over: a directory with a file for each, MATCH-ID.swpr. The directory is
/// this process's alone, but what it does not recognise by its name it neither counts nor touches. Its path
/// is looked up anew each time: a directory that has been moved away and put back goes on. Thread-safe.
class ReplayStore {
 public:
  using Opened = base::Result<std::unique_ptr<ReplayStore>, std::string>;
  /// Creates the directory, not its parents; removes what a crash has left half written. The error names the
  /// path and what is wrong with it.
  static Opened open(std::filesystem::path directory, const ReplayLimits& limits);

  /// The error says why: the id is none, is being written already, or the disk takes nothing. A replay that
  /// is there already is replaced by the commit. `key`: whose it is, for retention; kept with the file where
  /// the file system keeps attributes.
  base::Result<ReplayWriting, std::string> begin(const MatchId& id, const BudgetKey& key = {});

  /// Null: there is no such replay. An error: there is, but it cannot be opened now.
  base::Result<std::shared_ptr<const ReplayFile>, std::string> open(const MatchId& id);

  /// Removes what is too old, then the oldest of each key that has more than its kind may, then the oldest of
  /// the key that has the most bytes, until it is not too much in all. What is being read stays readable for
  /// its reader; what is being written does not count yet. What cannot be removed stays and is tried again
  /// the next time; meanwhile younger ones make room instead.
  Removal remove_excess(std::chrono::system_clock::time_point now);

  // Of a replay that there is: how many bytes it has.
  using Changed = base::Result<std::uint64_t, ReplayError>;

  /// Nothing removes a held one but its release; what is held takes no part in retention. The mark is an
  /// attribute of the file, which outlives the process. As much may be held as replay_bytes_max.
  Changed hold(const MatchId& id, bool is_held);

  /// For good, whatever its age. Not one that is held.
  Changed remove(const MatchId& id);

  struct Usage {
    std::size_t replays = 0;
    std::uint64_t bytes = 0;
  };
  Usage usage() const;

 private:
  friend class ReplayWriting;

  ReplayStore(std::filesystem::path directory, const ReplayLimits& limits);
  std::optional<std::string> load();
  void load_entry(const std::string& name);
  std::filesystem::path path(const MatchId& id) const;
  std::filesystem::path part_path(const MatchId& id) const;
  void remove_old(FileTime now, Removal& removal, std::set<ReplayIndex::Place>& kept);
  void remove_over_quota(Removal& removal, std::set<ReplayIndex::Place>& kept);
  void make_room(Removal& removal, std::set<ReplayIndex::Place>& kept);
  Changed set_hold(const MatchId& id, const StoredReplay& replay, bool is_held);
  bool remove(const ReplayIndex::Place& place, RemovalReason reason, Removal& removal);

  // For ReplayWriting.
  std::optional<std::string> publish(const MatchId& id, const BudgetKey& key, const struct stat& status);
  void end_writing(const MatchId& id);

  const std::filesystem::path directory_;
  const ReplayLimits limits_;
  mutable std::mutex mutex_;
  ReplayIndex index_;
  std::set<MatchId> being_written_;
};

}  // namespace sweepd::runtime
