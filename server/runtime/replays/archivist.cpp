// SPDX-License-Identifier: MIT
#include "runtime/replays/archivist.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "replay/cut.h"
#include "runtime/journal/compaction.h"
#include "runtime/replays/replay_export.h"
#include "runtime/replays/unnamed_file.h"

namespace sweepd::runtime {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kCompactionBytesMax = std::size_t{32} << 20;  // Of commits in memory at once.
constexpr std::size_t kAllBytes = std::numeric_limits<std::size_t>::max();
constexpr std::chrono::seconds kHouseKeepingInterval{10};

// The end of a match that is asked for at once may have yet to reach the disk.
constexpr std::chrono::milliseconds kPause{10};

ReplayError lost(std::string what) { return {ReplayErrorKind::kLost, std::move(what)}; }
ReplayError failing(std::string what) { return {ReplayErrorKind::kFailing, std::move(what)}; }
ReplayError busy(std::string what) { return {ReplayErrorKind::kBusy, std::move(what)}; }

/// The file, counted while it is referenced.
std::shared_ptr<const ReplayFile> counted(std::shared_ptr<const ReplayFile> file,
                                          const std::shared_ptr<std::atomic<int>>& count) {
  ++*count;
  const ReplayFile* const place = file.get();
  return {place, [file = std::move(file), count](const ReplayFile*) { --*count; }};
}

}  // namespace

Archivist::Archivist(SqliteJournal& journal, ReplayStore& replays, const replay::SigningKey& key,
                     ArchivistOptions options)
    : journal_(journal),
      replays_(replays),
      key_(key),
      public_key_(key.public_key()),
      options_(std::move(options)),
      next_compaction_(steady_clock::now() + options_.compaction_interval),
      next_house_keeping_(steady_clock::now()),
      thread_([this] { run(); }) {}

Archivist::~Archivist() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  shut_down();
}

void Archivist::shut_down() {
  std::deque<Request> requests;
  {
    const std::lock_guard lock(mutex_);
    is_shut_down_ = true;
    requests.swap(requests_);
  }
  for (Request& request : requests) request.done(busy("the server is shutting down"));
}

void Archivist::open(const MatchId& id, std::optional<ReplayPoint> running,
                     std::function<void(Opened)> done) {
  const auto deadline = steady_clock::now() + options_.patience;
  if (running && running->ending.tick_count == 0) {
    return done(ReplayError{ReplayErrorKind::kNoTicks, "the match has not run a tick yet"});
  }
  if (!running) return add({id, std::nullopt, std::move(done), deadline});
  if (!running->is_whole || running->position == 0) {
    return done(lost("the disk took nothing for so long that ticks of the match had to be given up"));
  }
  const Journal::Position position = running->position;
  const auto request = std::make_shared<Request>(Request{id, std::move(running), std::move(done), deadline});
  journal_.when_settled(position, [this, request] { add(std::move(*request)); });
}

void Archivist::add(Request request) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_stopping_ && !is_shut_down_ && requests_.size() < kRequestsMax) {
      requests_.push_back(std::move(request));
      changed_.notify_all();
      return;
    }
  }
  request.done(busy("too many replays are asked for at once"));
}

void Archivist::match_ended(JournalKey match) {
  const std::lock_guard lock(mutex_);
  ended_.insert(match);
  next_house_keeping_ = std::min(next_house_keeping_, steady_clock::now());
  changed_.notify_all();
}

void Archivist::run() {
  while (wait_for_work()) {
    if (auto request = next_request()) answer(*std::move(request));
    // However many ask: what is not packed grows.
    if (is_house_keeping_due()) keep_house();
  }
}

/// False: there is no more.
bool Archivist::wait_for_work() {
  std::unique_lock lock(mutex_);
  const auto has_work = [this] {
    return is_stopping_ || !requests_.empty() || steady_clock::now() >= next_house_keeping_;
  };
  while (!has_work()) changed_.wait_until(lock, next_house_keeping_);
  return !is_stopping_;
}

bool Archivist::is_house_keeping_due() {
  const std::lock_guard lock(mutex_);
  return !is_stopping_ && steady_clock::now() >= next_house_keeping_;
}

std::optional<Archivist::Request> Archivist::next_request() {
  const std::lock_guard lock(mutex_);
  if (requests_.empty()) return std::nullopt;
  Request request = std::move(requests_.front());
  requests_.pop_front();
  return request;
}

void Archivist::answer(Request request) {
  std::optional<Opened> found;
  try {
    found = find(request);
  } catch (const StorageFailure& failure) {
    found = Opened(failing(failure.what()));
  }
  if (found) return request.done(*std::move(found));
  if (steady_clock::now() > request.deadline) {
    return request.done(failing("the end of the match is not on the disk yet"));
  }
  // Nothing else is waited for so often, and nothing for so short a time.
  std::this_thread::sleep_for(kPause);
  add(std::move(request));
}

std::optional<Archivist::Opened> Archivist::find(const Request& request) {
  if (*files_ >= kFilesMax) return Opened(busy("too many replays are being read"));
  if (!request.running) return find_ended(request);
  // It may have ended while it waited.
  auto written = write_running(request);
  return written ? std::move(written) : find_ended(request);
}

std::optional<Archivist::Opened> Archivist::open_stored(const MatchId& id) {
  auto file = replays_.open(id);
  if (!file) return Opened(failing(file.error()));
  if (*file == nullptr) return std::nullopt;
  return Opened(counted(std::move(*file), files_));
}

/// Nothing: its end is not on the disk yet.
std::optional<Archivist::Opened> Archivist::find_ended(const Request& request) {
  if (auto stored = open_stored(request.id)) return stored;
  const auto key = reader().find_match(request.id);
  const auto match = key ? reader().read_match(*key) : std::nullopt;
  if (!match) return Opened(ReplayError{ReplayErrorKind::kNotFound, "there is no replay of this match"});
  if (!match->ending) return std::nullopt;
  auto error = write_replay(*key, read_recent(kAllBytes));
  if (error && error->kind == ReplayErrorKind::kLost) options_.on_trouble(error->what);
  // A part of it may have been written, with the error: then that is its replay.
  if (auto stored = open_stored(request.id)) return stored;
  return Opened(error ? *std::move(error) : lost("there is no replay of this match"));
}

/// Nothing: the match is over, and not in the journal any more.
std::optional<Archivist::Opened> Archivist::write_running(const Request& request) {
  const ReplayPoint& point = *request.running;
  if (journal_.durable_position() < point.position) return Opened(failing("the journal is failing"));
  const auto key = reader().find_match(request.id);
  const auto match = key ? reader().read_match(*key) : std::nullopt;
  if (!match) return std::nullopt;
  if (!match->origin) return Opened(lost("what the match begins with is damaged"));
  if (*copies_ >= kCopiesMax) return Opened(busy("too many replays of running matches are being read"));
  UnnamedFile file(options_.journal_path.parent_path());
  const RecentTicks recent = read_recent(kAllBytes);
  ReplayExport replay(reader(), recent, *match);
  if (!replay.write(point.ending, nullptr, [&file](std::string_view bytes) { file.append(bytes); })) {
    return Opened(lost("its log is damaged after tick " + std::to_string(replay.last_tick())));
  }
  return Opened(counted(counted(file.take(), copies_), files_));
}

/// It cannot be opened while the disk takes nothing: so not before it is needed.
JournalStore& Archivist::reader() {
  if (!reader_) reader_ = std::make_unique<JournalStore>(options_.journal_path);
  return *reader_;
}

RecentTicks Archivist::read_recent(std::size_t content_bytes_max) {
  return RecentTicks(reader(), content_bytes_max, [this](const CommitDamage& damage) {
    if (told_damage_.insert(damage.what).second)
      options_.on_trouble("the journal is damaged: " + damage.what);
  });
}

void Archivist::keep_house() {
  {
    const std::lock_guard lock(mutex_);
    next_house_keeping_ = steady_clock::now() + std::min<steady_clock::duration>(
                                                    kHouseKeepingInterval, options_.compaction_interval);
  }
  round_failure_.reset();
  // What makes room comes first; and none of these keeps the others from being done.
  try_house_work("old replays cannot be removed", &Archivist::remove_excess);
  try_house_work("replays cannot be written", &Archivist::write_ended);
  if (steady_clock::now() >= next_compaction_)
    try_house_work("the journal cannot be packed", &Archivist::compact);
  if (round_failure_.has_value() == is_failing_) return;
  is_failing_ = round_failure_.has_value();
  options_.on_health(round_failure_);
}

void Archivist::try_house_work(const char* trouble, void (Archivist::*work)()) {
  try {
    (this->*work)();
  } catch (const StorageFailure& failure) {
    note_failure(trouble + std::string(": ") + failure.what());
  }
}

void Archivist::note_failure(const std::string& what) {
  if (!round_failure_) round_failure_ = what;
  if (!is_failing_) options_.on_trouble(what);
}

void Archivist::compact() {
  next_compaction_ = steady_clock::now() + options_.compaction_interval;
  told_damage_.clear();
  const RecentTicks recent = read_recent(kCompactionBytesMax);
  if (recent.range().is_empty()) return;
  pack_recent_ticks(reader(), recent, {},
                    [this](const std::function<void(JournalStore&)>& work) { journal_.with_store(work); });
  // There may be more than was read at once: then at once again, but requests come first.
  const auto commits = reader().commits();
  if (commits && commits->last > recent.range().last + 1) next_compaction_ = steady_clock::now();
}

void Archivist::write_ended() {
  std::set<JournalKey> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = ended_;
  }
  if (ended.empty()) return;
  const RecentTicks recent = read_recent(kAllBytes);  // Once for all: the ends are behind all of their ticks.
  for (const JournalKey match : ended) {
    const auto error = write_replay(match, recent);
    const bool has_failed = error && error->kind == ReplayErrorKind::kFailing;
    if (has_failed) {
      note_failure(error->what);
    } else if (error) {
      options_.on_trouble(error->what);
    }
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return;  // The rest is found again when the server starts.
    if (!has_failed) ended_.erase(match);
    if (!requests_.empty()) {
      next_house_keeping_ = steady_clock::now();
      return;
    }
  }
}

/// Once: a match that is not in the journal any more has been written.
std::optional<ReplayError> Archivist::write_replay(JournalKey key, const RecentTicks& recent) {
  const auto match = reader().read_match(key);
  if (!match) return std::nullopt;
  const auto start = steady_clock::now();
  auto error = match->origin && match->ending
                   ? write_replay(*match, recent)
                   : std::optional(lost("what a match begins or ends with is damaged; there is no replay"));
  if (error && error->kind == ReplayErrorKind::kFailing) return error;
  journal_.with_store([key](JournalStore& store) { store.remove_match(key); });
  if (options_.metrics != nullptr) {
    options_.metrics->exports.add();
    options_.metrics->export_seconds.observe(steady_clock::now() - start);
    options_.metrics->note_usage(replays_.usage());
  }
  return error;
}

std::optional<ReplayError> Archivist::write_replay(const JournalStore::StoredMatch& match,
                                                   const RecentTicks& recent) {
  auto writing = replays_.begin(match.origin->id, match.origin->budget_key);
  if (!writing) return failing(writing.error());
  std::optional<std::string> error;
  ReplayExport replay(reader(), recent, match);
  const bool is_whole = replay.write(*match.ending, &key_, [&](std::string_view bytes) {
    if (!error) error = writing->append(bytes);
  });
  if (is_whole && !error) error = writing->commit();
  if (error) return failing("the replay of match " + match.origin->id + ": " + *error);
  if (is_whole) return std::nullopt;
  { const ReplayWriting given_up = std::move(*writing); }
  return write_part(match, recent);
}

/// As far as the log goes, cut there. Without a receipt: the server cannot sign for what is missing.
std::optional<ReplayError> Archivist::write_part(const JournalStore::StoredMatch& match,
                                                 const RecentTicks& recent) {
  const MatchId& id = match.origin->id;
  std::string bytes;
  ReplayExport replay(reader(), recent, match);
  replay.write(*match.ending, nullptr, [&bytes](std::string_view piece) { bytes += piece; });
  const std::string what = "the log of match " + id + " has ticks 1 to " +
                           std::to_string(replay.last_tick()) + " of " +
                           std::to_string(match.ending->tick_count);
  if (replay.last_tick() == 0) return lost(what + ": there is no replay");
  const auto part = replay::cut(bytes, replay.last_tick());
  if (!part) return lost(what + ", and no replay can be made of them: " + text_of(part.error()));
  auto writing = replays_.begin(id, match.origin->budget_key);
  if (!writing) return failing(writing.error());
  auto error = writing->append(*part);
  if (!error) error = writing->commit();
  if (error) return failing("the replay of match " + id + ": " + *error);
  return lost(what + ": the replay ends there, without a receipt");
}

void Archivist::remove_excess() {
  const Removal removal = replays_.remove_excess(std::chrono::system_clock::now());
  if (removal.error) note_failure(*removal.error);
  static LogBound lines(10);
  for (const Removal::Replay& replay : removal.removed) {
    if (replay.reason != RemovalReason::kQuota) continue;
    lines.log(LogLevel::kInfo,
              "a replay is removed: its match's creator, or that one's tenant, keeps too much",
              {{"match_id", replay.id}, {"bytes", replay.size_bytes}});
  }
  if (options_.metrics == nullptr) return;
  options_.metrics->note_removal(removal);
  options_.metrics->note_usage(replays_.usage());
}

}  // namespace sweepd::runtime
