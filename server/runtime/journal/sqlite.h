// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace sweepd::runtime {

/// The disk or the database refused. Thrown within the journal only, and caught by the owners of its threads
/// and answers.
class StorageFailure : public std::runtime_error {
 public:
  StorageFailure(int sqlite_code, const std::string& what, int system_errno = 0)
      : std::runtime_error(what), code_(sqlite_code), errno_(system_errno) {}

  /// Bytes are not as they were written, or are none of a database; more room or another try do not help.
  bool is_corruption() const;

  bool is_full() const;
  /// There is no room, or the system cannot say why nothing can be written: it may pass.
  bool may_pass() const;

  /// One of a few: "disk full", "read-only", "damaged", "i/o error", "other".
  const char* kind() const;

 private:
  int code_;
  int errno_;
};

/// A connection to a SQLite database. Used by one thread at a time.
class Database {
 public:
  enum class Mode : std::uint8_t { kReadWrite, kReadOnly };
  Database(const std::filesystem::path& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);
  /// The write-ahead log stays as it is when this is closed.
  void keep_log();
  sqlite3* handle() { return handle_; }
  [[noreturn]] void fail(const std::string& doing);

 private:
  int last_errno() const;

  sqlite3* handle_ = nullptr;
};

/// A statement that runs again and again. What is bound has to live until it has run.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int index, std::uint64_t value);
  Statement& bind(int index, std::string_view blob);

  /// Whether there is a row.
  bool step();
  /// Runs to its end, and can be bound anew.
  void run();
  void reset();

  std::uint64_t number(int column) const;
  /// Until the next step.
  std::string_view blob(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// All or nothing: what is not committed is rolled back.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace sweepd::runtime
