// SPDX-License-Identifier: MIT
#include "runtime/journal/storage.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "runtime/journal/wal_check.h"
#include "runtime/replays/signing_key_file.h"

namespace sweepd::runtime {
namespace {

// In the server's health.
constexpr const char* kJournalComponent = "journal";
constexpr const char* kFilesComponent = "journal_files";
constexpr const char* kReplayComponent = "replays";
constexpr const char* kRecoveryComponent = "recovery";

std::string count_text(std::size_t count, const std::string& noun, const std::string& plural) {
  return std::to_string(count) + " " + (count == 1 ? noun : plural);
}

bool is_empty_or_missing(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error && error != std::errc::no_such_file_or_directory)
    throw StorageFailure(0, "cannot read " + path.string() + ": " + error.message(), error.value());
  return error || size == 0;
}

void remove_journal(const std::filesystem::path& path) {
  std::error_code ignored;  // What is left does no harm: it is begun anew.
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
  files_ = nullptr;
  if (journal_) journal_->stop();
}

void Storage::start() {
  auto store = recover_matches();
  tell_recovery();
  tell_losses();
  set_health(kJournalComponent, std::nullopt);
  if (failure_) tell_health(failure_);
  set_health(kReplayComponent, std::nullopt);
  journal_ = std::make_unique<SqliteJournal>(
      std::move(store),
      SqliteJournalOptions{.flush = options_.journal_flush,
                           .queue_bytes_max = options_.journal_queue_bytes_max,
                           .match_bytes_per_second = options_.match_bytes_per_second,
                           .on_health = [this](const auto& failure) { tell_health(failure); },
                           .on_ended = [this](JournalKey match) { archivist_->match_ended(match); },
                           .open = [this] { return open_late(); },
                           .metrics = journal_metrics_.get()});
  archivist_ = std::make_unique<Archivist>(
      *journal_, *replays_, key_,
      ArchivistOptions{.journal_path = directory_.journal(),
                       .on_trouble = options_.on_trouble,
                       .on_health = [this](const auto& failure) { set_health(kReplayComponent, failure); },
                       .metrics = replay_metrics_.get()});
  for (const JournalKey match : recovery_.ended) archivist_->match_ended(match);
  set_health(kFilesComponent, std::nullopt);
  files_ = std::make_unique<JournalFiles>(
      *journal_, directory_.journal(),
      JournalFiles::Callbacks{.on_trouble = options_.on_trouble,
                              .on_health = [this](const auto& wrong) { set_health(kFilesComponent, wrong); }},
      journal_metrics_.get());
}

/// Null: the disk takes nothing, and the matches go on in memory.
std::unique_ptr<JournalStore> Storage::recover_matches() {
  put_fresh_journal_in_place();
  witnessed_ = Witness::read(directory_.witness());
  refuse_missing_journal();
  try {
    return recover_for_writing();
  } catch (const StorageFailure& failure) {
    if (!failure.may_pass()) throw;
    failure_ = std::string(failure.kind()) + ": " + failure.what();
  }
  try {
    recover_in_memory();
  } catch (const StorageFailure& failure) {
    throw StorageFailure(0, *failure_ + "; and no matches can go on without writing: " + failure.what());
  }
  return nullptr;
}

std::unique_ptr<JournalStore> Storage::recover_for_writing() {
  auto store = recover_from_file();
  drop_those_with_replays();
  count_losses();
  settle_store(*store);
  return store;
}

void Storage::recover_in_memory() {
  remove_journal(fresh_journal());
  const auto wal_damage = find_wal_damage(directory_.journal().string() + "-wal");
  JournalStore store(directory_.journal(), JournalStore::Alone());
  recovery_ = recover_read_only(store);
  if (!recovery_.damage.empty()) {
    throw StorageFailure(0, "it is damaged, and a new one takes room: " + recovery_.damage.front());
  }
  if (wal_damage) recovery_.damage.push_back(describe(*wal_damage));
  drop_those_with_replays();
  count_losses();
}

/// On the journal's thread, as soon as the disk takes something.
std::unique_ptr<JournalStore> Storage::open_late() {
  auto store = open_store(directory_.journal());
  settle_store(*store);
  return store;
}

/// An empty journal would take the place of one that may only have been moved, or not been mounted.
void Storage::refuse_missing_journal() {
  if (!is_empty_or_missing(directory_.journal())) return;
  const std::filesystem::path wal = directory_.journal().string() + "-wal";
  const bool has_wal = !is_empty_or_missing(wal);
  std::string signs = has_wal ? wal.string() : "";
  if (witnessed_) signs += (signs.empty() ? "" : ", ") + directory_.witness().string();
  if (const std::size_t replays = replays_->usage().replays; replays > 0)
    signs += (signs.empty() ? "" : ", ") + count_text(replays, "replay", "replays");
  if (signs.empty()) return;
  const std::string what = "it is missing or empty, and there was one, as " + signs + " show";
  if (!options_.accepts_missing_journal) {
    throw StorageFailure(0, what + "; put it back, or start with --accept-missing-journal to begin an " +
                                "empty one without the matches that were in it");
  }
  if (has_wal) return set_journal_aside("the journal is missing, and an empty one begins");
  options_.on_trouble("the journal is missing, and an empty one begins: " + what);
}

bool Storage::has_replay(const MatchId& id) {
  const auto replay = replays_->open(id);
  return replay && *replay != nullptr;
}

/// They had ended, and damage has undone that.
void Storage::drop_those_with_replays() {
  over_.clear();
  std::erase_if(recovery_.matches, [&](const RecoveredMatch& match) {
    if (!has_replay(match.origin.id)) return false;
    over_.push_back(match.key);
    return true;
  });
}

void Storage::count_losses() {
  const auto witnessed = witnessed_ ? witnessed_->entries : std::vector<Witness::Entry>();
  lost_ = find_lost_ticks(witnessed, recovery_, [this](const MatchId& id) { return has_replay(id); });
  states_.clear();
  for (const LostTicks& lost : lost_) {
    const auto match = std::ranges::find(recovery_.matches, lost.match, &RecoveredMatch::key);
    if (match == recovery_.matches.end()) continue;
    match->state.durable_tick_before = std::max(match->state.durable_tick_before, lost.durable_tick);
    states_.push_back({match->key, RecordKind::kState, 0, encode(match->state)});
  }
  entries_.clear();
  for (const RecoveredMatch& match : recovery_.matches)
    entries_.push_back({match.key, match.origin.id, match.match->tick()});
}

/// What was lost is in the state of each match before the witness forgets what it was.
void Storage::settle_store(JournalStore& store) {
  for (const JournalKey match : over_) store.remove_match(match);
  if (!states_.empty()) store.write(states_);
  std::vector<Witness::Entry> entries = entries_;
  for (const JournalKey key : recovery_.ended) {
    const auto match = store.read_match(key);
    if (match && match->origin && match->ending)
      entries.push_back({key, match->origin->id, match->ending->tick_count});
  }
  store.attach(std::make_unique<Witness>(directory_.witness(), entries, options_.on_trouble));
}

std::unique_ptr<JournalStore> Storage::open_store(const std::filesystem::path& path) {
  return std::make_unique<JournalStore>(path, options_.journal_sync);
}

std::unique_ptr<JournalStore> Storage::recover_from_file() {
  const std::filesystem::path path = directory_.journal();
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
    fresh = open_store(fresh_journal());
    fresh = nullptr;
    set_journal_aside("the journal is damaged (" + std::string(failure.what()) +
                      "), and the matches in it do not go on");
    put_fresh_journal_in_place();
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

/// So that a person can look into it.
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

void Storage::tell_losses() {
  if (witnessed_ && witnessed_->damaged_entries > 0) {
    options_.on_trouble("the journal's witness is damaged: of " +
                        count_text(witnessed_->damaged_entries, "match", "matches") +
                        " it cannot be told whether durable ticks are lost");
  }
  std::size_t gone = 0;
  match::Tick ticks = 0;
  for (const LostTicks& lost : lost_) {
    options_.on_trouble(describe(lost));
    gone += lost.is_gone ? 1 : 0;
    ticks += lost.count();
    if (journal_metrics_)
      journal_metrics_->lost_ticks.with(lost.id.empty() ? "unknown" : lost.id).add(lost.count());
  }
  const std::size_t damaged = std::max(recovery_.lost_matches, gone) + lost_.size() - gone;
  if (journal_metrics_) journal_metrics_->damaged_matches.add(damaged);
  if (damaged == 0) return set_health(kRecoveryComponent, std::nullopt);
  set_health(kRecoveryComponent, "at the start " + count_text(ticks, "durable tick", "durable ticks") +
                                     " of " + count_text(damaged, "match", "matches") +
                                     " were lost to damage, " +
                                     count_text(damaged + gone - lost_.size(), "match", "matches") +
                                     " wholly; the log names them");
}

void Storage::tell_recovery() {
  for (const std::string& damage : recovery_.damage) options_.on_trouble("the journal is damaged: " + damage);
  if (!recovery_.matches.empty()) {
    options_.on_news(count_text(recovery_.matches.size(), "match goes on", "matches go on") +
                     " from the journal");
  }
  if (!journal_metrics_) return;
  journal_metrics_->recovered_matches.add(recovery_.matches.size());
}

void Storage::tell_health(const std::optional<std::string>& failure) {
  if (failure) {
    options_.on_trouble("the journal cannot be written: " + *failure +
                        "; matches go on, durable ticks stand");
  } else {
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
