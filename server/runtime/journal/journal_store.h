// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/ending.h"
#include "replay/packed_ticks.h"
#include "runtime/journal/group_commit.h"
#include "runtime/journal/inventory.h"
#include "runtime/journal/journal.h"
#include "runtime/journal/match_key_frame.h"
#include "runtime/journal/match_origin.h"
#include "runtime/journal/sqlite.h"
#include "runtime/journal/stored_state.h"
#include "runtime/journal/witness.h"

namespace sweepd::runtime {

enum class JournalSync : std::uint8_t {
  kFull,     ///< What is durable survives a power cut.
  kProcess,  ///< It survives the end of the process, however sudden.
};

/// The journal's tables. A tick goes into a row of `commits`, with all others of its group; some seconds
/// later the ticks of a match are packed into rows of `segments`, and the commits go. What is rare (origins,
/// states, key frames, endings) goes to its own row at once. Every blob ends with a
/// sum of it and of where it belongs, and what has to be there is written down (see Inventory).
///
/// Used by one thread at a time; all calls throw StorageFailure.
class JournalStore {
 public:
  static constexpr std::uint64_t kSchemaVersion = 2;
  /// A write-ahead log that has grown larger is cut to this at times, and never to less.
  static constexpr std::int64_t kLogKeptBytes = 32 << 20;

  JournalStore(const std::filesystem::path& path, JournalSync sync);
  /// Reads while another store of the same file writes.
  explicit JournalStore(const std::filesystem::path& path);
  /// Only reads, and is alone meanwhile: takes no room on the disk.
  struct Alone {};
  JournalStore(const std::filesystem::path& path, Alone);

  /// Is told of what is durable from here on.
  void attach(std::unique_ptr<Witness> witness) { witness_ = std::move(witness); }
  Witness::Finding mend_witness() { return witness_ ? witness_->mend() : Witness::Finding{}; }

  /// All of these or none.
  void write(const std::vector<JournalRecord>& records);

  struct StoredMatch {
    JournalKey key = 0;
    std::optional<MatchOrigin> origin = {};  ///< Absent: damaged.
    std::optional<MatchExtent> extent = {};  ///< Absent: damaged.
    std::optional<StoredState> state = {};
    std::optional<replay::Ending> ending = {};  ///< It has ended.
    bool is_damaged = false;                    ///< One of those is not as it was written.
  };
  std::vector<JournalKey> matches();
  std::optional<StoredMatch> read_match(JournalKey match);
  std::optional<JournalKey> find_match(const MatchId& id);
  /// Their ticks, ascending.
  std::vector<match::Tick> key_frames(JournalKey match);
  /// Nothing: there is none, or it is damaged.
  std::optional<MatchKeyFrame> read_key_frame(JournalKey match, match::Tick tick);

  struct SegmentPlace {
    match::Tick first_tick = 0;
    match::Tick last_tick = 0;
  };
  /// By their first ticks.
  std::vector<SegmentPlace> segments(JournalKey match);
  /// Nothing: damaged.
  std::optional<replay::PackedTicks> read_segment(JournalKey match, match::Tick first_tick);

  struct CommitRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;  ///< Less than first: there are none.
    bool is_empty() const { return last < first; }
  };
  /// Those that have to be there. Nothing: that is damaged.
  std::optional<CommitRange> commits();
  /// Those that are there, ascending.
  std::vector<std::uint64_t> commits_there();
  /// Nothing: there is no such row.
  std::optional<GroupCommit> read_commit(std::uint64_t id);

  void write_segments(JournalKey match, const std::vector<replay::PackedTicks>& segments);
  /// Up to the last of the range: the oldest ones first.
  void remove_commits(const CommitRange& range);
  /// All that there is of a match but for what is in commits.
  void remove_match(JournalKey match);
  /// What is after that tick is none of the match any more.
  void truncate(JournalKey match, match::Tick last_tick);

  /// What there has to be. Nothing: damaged.
  std::optional<Inventory> read_inventory();
  /// What is wrong with the file as a database; empty: nothing, whatever is in its rows. Measured: 24 ms for
  /// 68 MB.
  std::string find_unsoundness();
  /// After damage: the matches that are there are those that have to be, and no commits are left.
  void take_stock();

 private:
  std::uint64_t version();
  void prepare_tables();
  void save(const Inventory& inventory);
  std::optional<MatchExtent> read_extent(JournalKey match);
  void save(JournalKey match, const MatchExtent& extent);
  void write(const JournalRecord& record);
  void insert_match(const JournalRecord& record, const std::string& blob);

  Database database_;
  Inventory inventory_;               ///< As it is in the database. Of a store that only reads: nothing.
  std::unique_ptr<Witness> witness_;  ///< Null: there is none.
};

}  // namespace sweepd::runtime
