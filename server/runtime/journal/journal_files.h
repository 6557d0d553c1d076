// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "runtime/journal/file_watch.h"
#include "runtime/journal/sqlite_journal.h"
#include "runtime/loop/periodic_thread.h"

namespace sweepd::runtime {

/// Looks at the files of a journal in use, once a second: what was removed, replaced or cut under the server
/// would be noticed at its next start only. The witness is written anew. What is written to a database or a
/// log that no path leads to is lost with the process: that is told for as long as it is so.
class JournalFiles {
 public:
  struct Callbacks {
    std::function<void(const std::string&)> on_trouble;  ///< Once for each damage.
    /// What is wrong now, and was not mended; nothing: nothing is. After each look.
    std::function<void(const std::optional<std::string>&)> on_health;
  };

  /// `journal` outlives it. `metrics` null: none.
  JournalFiles(SqliteJournal& journal, std::filesystem::path database, Callbacks callbacks,
               JournalMetrics* metrics);
  ~JournalFiles() { thread_.stop(); }
  JournalFiles(const JournalFiles&) = delete;
  JournalFiles& operator=(const JournalFiles&) = delete;

 private:
  struct Watched {
    const char* name;  ///< In metrics.
    std::optional<FileWatch> file = {};
    std::string damage = {};  ///< As of the last look.
  };
  void look();
  void look_at(Watched& watched, std::string& wrong);
  void look_at_witness(JournalStore& store, std::string& wrong);
  bool is_news(Watched& watched, std::string damage);

  SqliteJournal& journal_;
  const std::filesystem::path database_;
  const Callbacks callbacks_;
  JournalMetrics* const metrics_;
  std::array<Watched, 2> files_{{{.name = "database"}, {.name = "log"}}};
  Watched witness_{.name = "witness"};
  PeriodicThread thread_{"journal-files"};
};

}  // namespace sweepd::runtime
