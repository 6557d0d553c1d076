// SPDX-License-Identifier: MIT
#include "runtime/journal/data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "runtime/replays/file_error.h"

namespace sweepd::runtime {

namespace {

/// A pipe in the place of a file would have its reader wait for ever; a folder could not be read.
std::optional<std::string> find_special_file(const std::filesystem::path& folder) {
  std::error_code error;  // Of a folder that cannot be read, what is done next tells more.
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto type = entry.status(error).type();
    using std::filesystem::file_type;
    const bool is_journals = entry.path().filename().string().starts_with("journal.");
    if (type == file_type::directory && is_journals) return entry.path().string() + " is a folder";
    if (type == file_type::regular || type == file_type::directory || type == file_type::not_found) continue;
    if (type == file_type::socket && !is_journals) continue;  // Opening one fails at once.
    return entry.path().string() + " is neither a file nor a folder";
  }
  return std::nullopt;
}

}  // namespace

base::Result<DataDirectory, std::string> DataDirectory::open(const std::filesystem::path& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return file_error("create", path, errno);
  if (const auto fault = find_special_file(path)) return *fault;
  const std::filesystem::path lock_path = path / "lock";
  const int lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return file_error("create", lock_path, errno);
  DataDirectory directory(path, lock);
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
    directory.make_journal_private();
    return directory;
  }
  if (errno == EWOULDBLOCK) return path.string() + " is in use by another sweepd";
  return file_error("lock", lock_path, errno);
}

/// A journal has digests of tokens and what players do. Earlier versions left it to the umask.
void DataDirectory::make_journal_private() const {
  for (const char* ending : {"", "-wal", "-shm"}) {
    std::error_code ignored;  // Most often: there is no such file.
    std::filesystem::permissions(journal().string() + ending,
                                 std::filesystem::perms::group_all | std::filesystem::perms::others_all,
                                 std::filesystem::perm_options::remove, ignored);
  }
}

DataDirectory::DataDirectory(DataDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

DataDirectory::~DataDirectory() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace sweepd::runtime
