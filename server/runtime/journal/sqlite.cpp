// SPDX-License-Identifier: MIT
#include "runtime/journal/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>

namespace sweepd::runtime {
namespace {

/// Keeps the index of the log in memory, for all connections of the process. Otherwise it is a file that is
/// mapped, and a process that reads such a file after it was cut is killed.
constexpr const char* kFileSystem = "unix-excl";

}  // namespace

bool StorageFailure::is_corruption() const {
  const int primary = code_ & 0xff;
  return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
}

bool StorageFailure::is_full() const {
  return (code_ & 0xff) == SQLITE_FULL || errno_ == ENOSPC || errno_ == EDQUOT || errno_ == EFBIG;
}

// SQLite does not pass on why it could not make the index of its log.
bool StorageFailure::may_pass() const {
  return is_full() || code_ == SQLITE_IOERR_SHMSIZE || code_ == SQLITE_IOERR_SHMMAP;
}

const char* StorageFailure::kind() const {
  const int primary = code_ & 0xff;
  if (is_full()) return "disk full";
  if (primary == SQLITE_READONLY || errno_ == EROFS) return "read-only";
  if (is_corruption()) return "damaged";
  return primary == SQLITE_IOERR ? "i/o error" : "other";
}

Database::Database(const std::filesystem::path& path, Mode mode) {
  const int flags =
      mode == Mode::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                      kFileSystem) == SQLITE_OK) {
    sqlite3_busy_timeout(handle_, 10'000);
    return;
  }
  const StorageFailure failure(sqlite3_extended_errcode(handle_),
                               "cannot open " + path.string() + ": " + sqlite3_errmsg(handle_));
  sqlite3_close(handle_);
  throw failure;
}

Database::~Database() { sqlite3_close(handle_); }

/// What the system said. A COMMIT does not pass it on: then the files know.
int Database::last_errno() const {
  const int number = sqlite3_system_errno(handle_);
  if (number != 0 || (sqlite3_errcode(handle_) & 0xff) != SQLITE_IOERR) return number;
  for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
    sqlite3_file* file = nullptr;
    int last = 0;
    if (sqlite3_file_control(handle_, "main", which, &file) != SQLITE_OK) continue;
    if (file == nullptr || file->pMethods == nullptr) continue;
    if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &last) == SQLITE_OK && last != 0)
      return last;
  }
  return 0;
}

void Database::fail(const std::string& doing) {
  std::string what = doing + ": " + sqlite3_errmsg(handle_);
  const int number = last_errno();
  if (number != 0) what += std::string(" (") + std::strerror(number) + ")";
  throw StorageFailure(sqlite3_extended_errcode(handle_), what, number);
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

void Database::keep_log() {
  if (sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr) != SQLITE_OK)
    fail("keep the log");
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr) !=
      SQLITE_OK)
    database.fail(sql);
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(int index, std::uint64_t value) {
  if (sqlite3_bind_int64(handle_, index, static_cast<sqlite3_int64>(value)) != SQLITE_OK)
    database_.fail("bind a number");
  return *this;
}

Statement& Statement::bind(int index, std::string_view blob) {
  const char* bytes = blob.empty() ? "" : blob.data();  // A null pointer would be NULL.
  if (sqlite3_bind_blob64(handle_, index, bytes, blob.size(), SQLITE_STATIC) != SQLITE_OK)
    database_.fail("bind bytes");
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(handle_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  const std::string sql = sqlite3_sql(handle_);
  try {
    database_.fail(sql);
  } catch (const StorageFailure&) {
    sqlite3_reset(handle_);
    throw;
  }
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() {
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
}

std::uint64_t Statement::number(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(handle_, column));
}

std::string_view Statement::blob(int column) const {
  const void* bytes = sqlite3_column_blob(handle_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

Transaction::Transaction(Database& database) : database_(database) { database.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!is_open_) return;
  // An error may have rolled it back already; then this one says so, and that is all right.
  sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  is_open_ = false;
}

}  // namespace sweepd::runtime
