// SPDX-License-Identifier: MIT
#include "runtime/storage.h"

#include <system_error>
#include <utility>

#include "runtime/journal/wal_check.h"
#include "runtime/signing_key_file.h"

namespace sweepd::runtime {
namespace {

// In the server's health.
constexpr const char* kJournalComponent = "journal";
constexpr const char* kReplayComponent = "replays";

std::string count_text(std::size_t count, const std::string& noun, const std::string& plural) {
  return std::to_string(count) + " " + (count == 1 ? noun : plural);
}

void remove_journal(const std::filesystem::path& path) {
  std::error_code ignored;  // What is left is in nobody's way: it is begun anew.
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + part, ignored);
}

}  // namespace

base::Result<std::unique_ptr<Storage>, std::string> Storage::open(StorageOptions options) {
  auto directory = DataDirectory::open(options.directory);
  if (!directory) return directory.error();
  auto key = options.signing_key.empty() ? read_or_make_signing_key(directory->signing_key())
                                         : read_signing_key(options.signing_key);
  if (!key) return key.error();
  auto replays = ReplayStore::open(directory->replays(), options.replay_limits);
  if (!replays) return replays.error();
  std::unique_ptr<Storage> storage(
      new Storage(std::move(options), std::move(*directory), std::move(*key), std::move(*replays)));
  try {
    storage->start();
  } catch (const StorageFailure& failure) {
    return "the journal " + storage->directory_.journal().string() + " cannot be used: " + failure.what();
  }
  return storage;
}

Storage::Storage(StorageOptions options, DataDirectory directory, replay::SigningKey key,
                 std::unique_ptr<ReplayStore> replays)
    : options_(std::move(options)),
      directory_(std::move(directory)),
      key_(std::move(key)),
      replays_(std::move(replays)) {
  if (options_.metrics == nullptr) return;
  journal_metrics_ = std::make_unique<JournalMetrics>(*options_.metrics);
  replay_metrics_ = std::make_unique<ReplayMetrics>(*options_.metrics);
  replay_metrics_->note_usage(replays_->usage());
}

// First what may still bring work for the archivist.
Storage::~Storage() {
  if (journal_) journal_->stop();
}

void Storage::start() {
  auto store = recover_matches();
  tell_recovery();
  tell_health(std::nullopt);
  set_health(kReplayComponent, std::nullopt);
  journal_ = std::make_unique<SqliteJournal>(
      std::move(store),
      SqliteJournalOptions{.flush = options_.journal_flush,
                           .queue_bytes_max = options_.journal_queue_bytes_max,
                           .on_health = [this](const auto& failure) { tell_health(failure); },
                           .on_ended = [this](JournalKey match) { archivist_->match_ended(match); },
                           .metrics = journal_metrics_.get()});
  archivist_ = std::make_unique<Archivist>(
      *journal_, *replays_, key_,
      ArchivistOptions{.journal_path = directory_.journal(),
                       .on_trouble = options_.on_trouble,
                       .on_health = [this](const auto& failure) { set_health(kReplayComponent, failure); },
                       .metrics = replay_metrics_.get()});
  for (const JournalKey match : recovery_.ended) archivist_->match_ended(match);
}

std::unique_ptr<JournalStore> Storage::recover_matches() {
  const auto open_store = [this](const std::filesystem::path& path) {
    return std::make_unique<JournalStore>(path, options_.journal_sync);
  };
  const std::filesystem::path path = directory_.journal();
  put_fresh_journal_in_place();
  const auto wal_damage = find_wal_damage(path.string() + "-wal");
  std::unique_ptr<JournalStore> fresh;
  try {
    auto store = open_store(path);
    recovery_ = recover(*store, path, [&]() -> JournalStore& {
      fresh = open_store(fresh_journal());
      return *fresh;
    });
    if (wal_damage) recovery_.damage.insert(recovery_.damage.begin(), describe(*wal_damage));
    if (!fresh) return store;
  } catch (const StorageFailure& failure) {
    if (!failure.is_corruption()) throw;
    recovery_ = {};
    fresh = nullptr;
    remove_journal(fresh_journal());
    set_journal_aside("the journal is damaged (" + std::string(failure.what()) +
                      "), and the matches in it do not go on");
    return open_store(path);
  }
  fresh = nullptr;  // Closed, it is a single file.
  set_journal_aside("the journal is damaged, and what could be read of it has gone into a new one");
  put_fresh_journal_in_place();
  return open_store(path);
}

/// One that is whole while there is no other was to become the journal when the last server died. Else that
/// had not done writing it.
void Storage::put_fresh_journal_in_place() {
  std::error_code error;
  if (std::filesystem::exists(directory_.journal(), error)) return remove_journal(fresh_journal());
  if (std::filesystem::exists(fresh_journal(), error))
    std::filesystem::rename(fresh_journal(), directory_.journal(), error);
  if (error)
    throw StorageFailure(0, "cannot rename " + fresh_journal().string() + ": " + error.message(),
                         error.value());
}

/// So that somebody can look into it.
void Storage::set_journal_aside(const std::string& what) {
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::string kept = directory_.journal().string() + ".damaged-" + std::to_string(now.count());
  // The database last: as long as it is there, the next server begins with it.
  for (const char* part : {"-shm", "-wal", ""}) {
    const std::filesystem::path path = directory_.journal().string() + part;
    std::error_code error;
    if (std::filesystem::exists(path, error)) std::filesystem::rename(path, kept + part, error);
    if (error)
      throw StorageFailure(0, "cannot rename " + path.string() + ": " + error.message(), error.value());
  }
  options_.on_trouble(what + "; the old one is kept as " + kept);
}

void Storage::tell_recovery() {
  for (const std::string& damage : recovery_.damage) options_.on_trouble("the journal is damaged: " + damage);
  if (!recovery_.matches.empty()) {
    options_.on_news(count_text(recovery_.matches.size(), "match goes on", "matches go on") +
                     " from the journal");
  }
  if (!journal_metrics_) return;
  journal_metrics_->recovered_matches.add(recovery_.matches.size());
  journal_metrics_->damaged_matches.add(recovery_.lost_matches);
}

void Storage::tell_health(const std::optional<std::string>& failure) {
  if (failure) {
    options_.on_trouble("the journal cannot be written: " + *failure +
                        "; matches go on, durable ticks stand");
  } else if (journal_) {
    options_.on_news("the journal can be written again");
  }
  set_health(kJournalComponent, failure);
}

void Storage::set_health(const char* component, const std::optional<std::string>& failure) {
  if (options_.health == nullptr) return;
  if (failure) {
    options_.health->set_failing(component, *failure);
  } else {
    options_.health->set_ok(component);
  }
}

}  // namespace sweepd::runtime
