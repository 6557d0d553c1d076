// SPDX-License-Identifier: MIT
#include "runtime/journal/journal_files.h"

#include <utility>

namespace sweepd::runtime {
namespace {

constexpr std::chrono::seconds kLookPeriod{1};

void append(std::string& wrong, const std::string& what) { wrong += (wrong.empty() ? "" : "; ") + what; }

}  // namespace

JournalFiles::JournalFiles(SqliteJournal& journal, std::filesystem::path database, Callbacks callbacks,
                           JournalMetrics* metrics)
    : journal_(journal), database_(std::move(database)), callbacks_(std::move(callbacks)), metrics_(metrics) {
  look();  // What is there now is what is kept.
  thread_.every(kLookPeriod, [this] { look(); });
  thread_.start();
}

void JournalFiles::look() {
  std::string wrong;
  try {
    journal_.with_store([&](JournalStore& store) {
      for (Watched& watched : files_) look_at(watched, wrong);
      look_at_witness(store, wrong);
    });
  } catch (const StorageFailure&) {
    return;  // It is not open yet, and that has been told.
  }
  callbacks_.on_health(wrong.empty() ? std::nullopt : std::optional(wrong));
}

void JournalFiles::look_at(Watched& watched, std::string& wrong) {
  const bool is_log = &watched == &files_.back();
  if (!watched.file) {
    watched.file.emplace(database_.string() + (is_log ? "-wal" : ""),
                         is_log ? JournalStore::kLogKeptBytes : FileWatch::kAllBytes);
  }
  const std::string damage = watched.file->find_damage();
  const std::string what = damage + " under the server: what it writes may not be found at the next start";
  if (is_news(watched, damage)) callbacks_.on_trouble(what);
  if (!damage.empty()) append(wrong, what);
}

void JournalFiles::look_at_witness(JournalStore& store, std::string& wrong) {
  const Witness::Finding finding = store.mend_witness();
  std::string what = "the journal's witness " + finding.damage + " under the server";
  what +=
      finding.failure.empty() ? "; it is written anew" : ", and cannot be written anew: " + finding.failure;
  if (is_news(witness_, finding.damage)) callbacks_.on_trouble(what);
  if (!finding.failure.empty()) append(wrong, what);
  if (finding.failure.empty()) witness_.damage.clear();
}

bool JournalFiles::is_news(Watched& watched, std::string damage) {
  const bool is_new = !damage.empty() && damage != watched.damage;
  watched.damage = std::move(damage);
  if (is_new && metrics_ != nullptr) metrics_->file_damage.with(watched.name).add();
  return is_new;
}

}  // namespace sweepd::runtime
