// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "runtime/replays/file_error.h"

namespace sweepd::runtime {
namespace {

constexpr mode_t kDirectoryMode = 0700;
constexpr mode_t kFileMode = 0600;
constexpr std::string_view kEnding = ".swpr";
constexpr std::string_view kPartEnding = ".swpr.part";
/// The last second of the year 9999: some file systems go beyond what a clock can tell.
constexpr std::int64_t kLatestTimeS = 253'402'300'799;

/// Nothing: the name is not an id with that ending.
std::optional<MatchId> id_of(std::string_view name, std::string_view ending) {
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  return is_match_id(name) ? std::optional<MatchId>(name) : std::nullopt;
}

constexpr const char* kKeyAttribute = "user.sweepd.budget_key";
constexpr std::size_t kKeyBytesMax = 512;
constexpr const char* kHoldAttribute = "user.sweepd.hold";

BudgetKey read_key(const std::filesystem::path& path) {
  std::array<char, kKeyBytesMax> key{};
  const ssize_t size = ::lgetxattr(path.c_str(), kKeyAttribute, key.data(), key.size());
  return size < 0 ? BudgetKey() : BudgetKey(std::string(key.data(), static_cast<std::size_t>(size)));
}

bool read_hold(const std::filesystem::path& path) {
  return ::lgetxattr(path.c_str(), kHoldAttribute, nullptr, 0) >= 0;
}

/// 0, or errno. An attribute is written with its file's own time of change, which fsync waits for.
int write_hold(const std::filesystem::path& path, bool is_held) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int result = is_held ? ::fsetxattr(descriptor, kHoldAttribute, "1", 1, 0)
                       : ::fremovexattr(descriptor, kHoldAttribute);
  if (result != 0 && !is_held && errno == ENODATA) result = 0;
  if (result == 0) result = ::fsync(descriptor);
  const int error_number = result == 0 ? 0 : errno;
  ::close(descriptor);
  return error_number;
}

StoredReplay to_replay(const struct stat& status, BudgetKey key) {
  const auto seconds = std::clamp<std::int64_t>(status.st_mtim.tv_sec, 0, kLatestTimeS);
  const auto fraction = std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  return {.size_bytes = static_cast<std::uint64_t>(status.st_size),
          .ended_at = FileTime(std::chrono::seconds(seconds)) +
                      std::chrono::duration_cast<std::chrono::microseconds>(fraction),
          .budget_key = std::move(key)};
}

/// A name in a directory survives a power cut only once the directory has been written as well. 0, or errno.
int write_directory(const std::filesystem::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int result = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return result;
}

std::optional<std::string> create_if_missing(const std::filesystem::path& directory) {
  if (::mkdir(directory.c_str(), kDirectoryMode) != 0) {
    if (errno == EEXIST) return std::nullopt;  // What is no directory is told when it is opened.
    return file_error("create", directory, errno);
  }
  const auto parent = std::filesystem::absolute(directory).parent_path();
  if (const int error_number = write_directory(parent)) return file_error("write", parent, error_number);
  return std::nullopt;
}

}  // namespace

ReplayStore::ReplayStore(std::filesystem::path directory, const ReplayLimits& limits)
    : directory_(std::move(directory)), limits_(limits) {}

ReplayStore::Opened ReplayStore::open(std::filesystem::path directory, const ReplayLimits& limits) {
  if (auto error = create_if_missing(directory)) return std::move(*error);
  std::unique_ptr<ReplayStore> store(new ReplayStore(std::move(directory), limits));
  if (auto error = store->load()) return std::move(*error);
  return store;
}

std::optional<std::string> ReplayStore::load() {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory_.c_str()), ::closedir);
  if (entries == nullptr) return file_error("open", directory_, errno);
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(entries.get());
    if (entry != nullptr) {
      load_entry(entry->d_name);
    } else if (errno != 0) {
      return file_error("list", directory_, errno);
    } else {
      return std::nullopt;
    }
  }
}

void ReplayStore::load_entry(const std::string& name) {
  // A leftover that cannot be removed does no harm: a further write of this replay removes it first.
  if (id_of(name, kPartEnding)) ::unlink((directory_ / name).c_str());
  const auto id = id_of(name, kEnding);
  struct stat status = {};
  if (!id || ::lstat((directory_ / name).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  StoredReplay replay = to_replay(status, read_key(directory_ / name));
  replay.is_held = read_hold(directory_ / name);
  index_.put(*id, replay);
}

std::filesystem::path ReplayStore::path(const MatchId& id) const { return directory_ / id += kEnding; }

std::filesystem::path ReplayStore::part_path(const MatchId& id) const {
  return directory_ / id += kPartEnding;
}

base::Result<ReplayWriting, std::string> ReplayStore::begin(const MatchId& id, const BudgetKey& key) {
  if (!is_match_id(id)) return "\"" + id + "\" is not the id of a match";
  const std::scoped_lock lock(mutex_);
  if (being_written_.contains(id)) return "the replay of match " + id + " is being written already";
  const auto part = part_path(id);
  ::unlink(part.c_str());
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode);
  if (descriptor < 0) return file_error("create", part, errno);
  // Where the file system keeps none, it is known until the server stops.
  if (!key.empty()) (void)::fsetxattr(descriptor, kKeyAttribute, key.text().data(), key.text().size(), 0);
  being_written_.insert(id);
  return ReplayWriting(*this, id, key, descriptor);
}

std::optional<std::string> ReplayStore::publish(const MatchId& id, const BudgetKey& key,
                                                const struct stat& status) {
  const auto target = path(id);
  {
    const std::scoped_lock lock(mutex_);
    if (::rename(part_path(id).c_str(), target.c_str()) != 0) return file_error("create", target, errno);
    index_.put(id, to_replay(status, key));
  }
  const int error_number = write_directory(directory_);
  if (error_number == 0) return std::nullopt;
  // It may be there after a power cut or not: so it is not to be there at all.
  const std::scoped_lock lock(mutex_);
  ::unlink(target.c_str());
  index_.erase(id);
  return file_error("write", directory_, error_number);
}

void ReplayStore::end_writing(const MatchId& id) {
  const std::scoped_lock lock(mutex_);
  being_written_.erase(id);
}

base::Result<std::shared_ptr<const ReplayFile>, std::string> ReplayStore::open(const MatchId& id) {
  const std::scoped_lock lock(mutex_);
  const StoredReplay* const stored = index_.find(id);
  if (stored == nullptr) return std::shared_ptr<const ReplayFile>();
  const int descriptor = ::open(path(id).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno != ENOENT) return file_error("open", path(id), errno);
  if (descriptor < 0) {  // Another process has removed it.
    index_.erase(id);
    return std::shared_ptr<const ReplayFile>();
  }
  struct stat status = {};
  const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  auto file = std::make_shared<const ReplayFile>(descriptor, static_cast<std::uint64_t>(status.st_size),
                                                 stored->budget_key);
  if (!is_file) return file_error("open", path(id), EINVAL);
  return file;
}

// Others have their turn between two files: removing a large one takes a while.
Removal ReplayStore::remove_excess(std::chrono::system_clock::time_point now) {
  Removal removal;
  std::set<ReplayIndex::Place> kept;
  remove_old(std::chrono::time_point_cast<FileTime::duration>(now), removal, kept);
  remove_over_quota(removal, kept);
  make_room(removal, kept);
  return removal;
}

void ReplayStore::remove_old(FileTime now, Removal& removal, std::set<ReplayIndex::Place>& kept) {
  std::optional<ReplayIndex::Place> last;
  for (;;) {
    const std::scoped_lock lock(mutex_);
    const ReplayIndex::Place* next = last ? index_.next_after(*last) : index_.oldest();
    if (next == nullptr) return;
    last = *next;
    if (std::chrono::floor<std::chrono::seconds>(now - last->first) <= limits_.replay_age_max) return;
    if (!remove(*last, RemovalReason::kAge, removal)) kept.insert(*last);
  }
}

void ReplayStore::remove_over_quota(Removal& removal, std::set<ReplayIndex::Place>& kept) {
  for (;;) {
    const std::scoped_lock lock(mutex_);
    const ReplayIndex::Place* next = index_.next_over(limits_.bytes_of_key, kept);
    if (next == nullptr) return;
    const ReplayIndex::Place place = *next;
    if (!remove(place, RemovalReason::kQuota, removal)) kept.insert(place);
  }
}

void ReplayStore::make_room(Removal& removal, std::set<ReplayIndex::Place>& kept) {
  for (;;) {
    const std::scoped_lock lock(mutex_);
    if (index_.bytes() <= limits_.replay_bytes_max) return;
    const ReplayIndex::Place* next = index_.next_to_make_room(kept);
    if (next == nullptr) return;
    const ReplayIndex::Place place = *next;
    if (!remove(place, RemovalReason::kSize, removal)) kept.insert(place);
  }
}

/// False: it cannot be removed.
bool ReplayStore::remove(const ReplayIndex::Place& place, RemovalReason reason, Removal& removal) {
  const MatchId& id = place.second;
  if (::unlink(path(id).c_str()) != 0 && errno != ENOENT) {
    if (!removal.error) removal.error = file_error("remove", path(id), errno);
    return false;
  }
  removal.removed.push_back({id, index_.find(id)->size_bytes, reason});
  index_.erase(id);
  return true;
}

ReplayStore::Changed ReplayStore::hold(const MatchId& id, bool is_held) {
  const std::scoped_lock lock(mutex_);
  const StoredReplay* const stored = index_.find(id);
  if (stored == nullptr) return ReplayError{ReplayErrorKind::kNotFound};
  if (stored->is_held == is_held) return stored->size_bytes;
  const std::uint64_t room =
      limits_.replay_bytes_max - std::min(index_.held_bytes(), limits_.replay_bytes_max);
  if (is_held && stored->size_bytes > room) {
    return ReplayError{ReplayErrorKind::kTooMuchHeld,
                       std::to_string(index_.held_bytes()) + " bytes are held, and it has " +
                           std::to_string(stored->size_bytes) + "; at most " +
                           std::to_string(limits_.replay_bytes_max) + " may be"};
  }
  return set_hold(id, *stored, is_held);
}

ReplayStore::Changed ReplayStore::set_hold(const MatchId& id, const StoredReplay& replay, bool is_held) {
  StoredReplay changed = replay;
  changed.is_held = is_held;
  const int error_number = write_hold(path(id), is_held);
  if (error_number == ENOENT) {  // Another process has removed it.
    index_.erase(id);
    return ReplayError{ReplayErrorKind::kNotFound};
  }
  if (error_number == ENOTSUP) {
    return ReplayError{ReplayErrorKind::kHoldNotKept,
                       "the file system of " + directory_.string() + " keeps no attributes of files"};
  }
  if (error_number != 0) {
    return ReplayError{ReplayErrorKind::kFailing, file_error("write", path(id), error_number)};
  }
  index_.put(id, changed);
  return changed.size_bytes;
}

ReplayStore::Changed ReplayStore::remove(const MatchId& id) {
  const std::scoped_lock lock(mutex_);
  const StoredReplay* const stored = index_.find(id);
  if (stored == nullptr) return ReplayError{ReplayErrorKind::kNotFound};
  if (stored->is_held) return ReplayError{ReplayErrorKind::kHeld};
  const std::uint64_t bytes = stored->size_bytes;
  if (::unlink(path(id).c_str()) != 0 && errno != ENOENT) {
    return ReplayError{ReplayErrorKind::kFailing, file_error("remove", path(id), errno)};
  }
  index_.erase(id);
  // After a power cut it is not to be there again.
  const int error_number = write_directory(directory_);
  if (error_number == 0) return bytes;
  return ReplayError{ReplayErrorKind::kFailing, file_error("write", directory_, error_number)};
}

ReplayStore::Usage ReplayStore::usage() const {
  const std::scoped_lock lock(mutex_);
  return {index_.size(), index_.bytes() + index_.held_bytes()};
}

}  // namespace sweepd::runtime
