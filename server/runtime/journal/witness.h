// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "match/match.h"
#include "runtime/journal/journal.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

/// The last durable tick of each match of a journal, in a file beside the database: a database that has lost
/// its newest commits cannot tell that it ever had them. Written after every commit and never synced: it
/// survives the end of the process and any damage to the database; after a power cut it may be older than the
/// database.
///
/// The file is allocated ahead, so that a full disk takes updates of matches that are in it. Used by one
/// thread at a time.
class Witness {
 public:
  struct Entry {
    JournalKey match = 0;
    MatchId id = {};
    match::Tick durable_tick = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  struct Contents {
    std::vector<Entry> entries = {};
    std::size_t damaged_entries = 0;  ///< That are not as they were written.
  };
  /// What a former server left. Nothing: there is no such file. Throws StorageFailure if it cannot be read.
  static std::optional<Contents> read(const std::filesystem::path& path);

  /// Replaces the file by one of these entries, at once. Throws StorageFailure; the old file stays then.
  /// `on_trouble`: told once if updates fail, and again only after one has succeeded.
  using OnTrouble = std::function<void(const std::string&)>;
  Witness(const std::filesystem::path& path, const std::vector<Entry>& entries, OnTrouble on_trouble);
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// These records are durable. Does not throw: what cannot be written goes with the next update.
  void note(const std::vector<JournalRecord>& records);
  /// The match is not in the journal any more.
  void forget(JournalKey match);

  /// What a look at the file has found.
  struct Finding {
    std::string damage = {};   ///< Empty: it is as it was written.
    std::string failure = {};  ///< Why it could not be written anew.
  };
  /// Whether the file at the path is as it was written; else it is written anew.
  Finding mend();

 private:
  void write_anew();
  std::string find_damage() const;
  bool is_as_written(std::string_view bytes) const;
  void put(Entry entry);
  void set_slot(std::size_t slot);
  void note_change(std::size_t slot);
  void write_changes();
  bool allocate(int descriptor, std::size_t bytes);

  const std::filesystem::path path_;
  const OnTrouble on_trouble_;
  int descriptor_ = -1;
  std::size_t allocated_bytes_ = 0;
  std::string image_;           ///< All slots, as the file is to have them.
  std::vector<Entry> entries_;  ///< By slot.
  std::unordered_map<JournalKey, std::size_t> slots_;
  std::vector<std::size_t> free_slots_;
  std::size_t first_changed_ = 0;  ///< Slots from here...
  std::size_t end_changed_ = 0;    ///< ...to before here are not in the file.
  bool is_failing_ = false;
};

}  // namespace sweepd::runtime
