// SPDX-License-Identifier: MIT
#pragma once

#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace sweepd::runtime {

/// While it lives, SQLite's writes to all files of this process can be made to fail, as those to a full,
/// broken or read-only disk do. One at a time.
class DiskFaults {
 public:
  DiskFaults() {
    set(reinterpret_cast<sqlite3_syscall_ptr>(&write), reinterpret_cast<sqlite3_syscall_ptr>(&truncate));
  }
  ~DiskFaults() {
    number_ = 0;
    set(nullptr, nullptr);
  }
  DiskFaults(const DiskFaults&) = delete;
  DiskFaults& operator=(const DiskFaults&) = delete;

  /// After so many more writes, all fail with that errno. 0: none.
  void fail(int number, int writes_before = 0) {
    writes_left_ = writes_before;
    number_ = number;
  }
  int writes_failed() const { return failed_; }

 private:
  static void set(sqlite3_syscall_ptr write, sqlite3_syscall_ptr truncate) {
    sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
    for (const char* name : {"pwrite", "pwrite64"}) vfs->xSetSystemCall(vfs, name, write);
    vfs->xSetSystemCall(vfs, "ftruncate", truncate);
  }

  static bool must_fail() {
    if (number_ == 0 || writes_left_-- > 0) return false;
    ++failed_;
    errno = number_;
    return true;
  }

  static ssize_t write(int file, const void* bytes, std::size_t size, off_t at) {
    return must_fail() ? -1 : ::pwrite(file, bytes, size, at);
  }
  static int truncate(int file, off_t size) { return must_fail() ? -1 : ::ftruncate(file, size); }

  static inline std::atomic<int> number_ = 0;
  static inline std::atomic<int> writes_left_ = 0;
  static inline std::atomic<int> failed_ = 0;
};

}  // namespace sweepd::runtime
