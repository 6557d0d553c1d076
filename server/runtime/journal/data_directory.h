// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace sweepd::runtime {

/// The directory of one server's files, locked against every other server for as long as this is there.
///   journal.db (and -wal, -shm)  logs of matches that run
///   journal.witness              how far each of those was durable
///   replays/                     of matches that are over
///   signing_key.pem              what receipts are signed with; keep it secret
///   lock
class DataDirectory {
 public:
  /// Creates it where it does not exist (0700), but not its parents. The error says why it cannot be used.
  static base::Result<DataDirectory, std::string> open(const std::filesystem::path& path);
  DataDirectory(DataDirectory&& other) noexcept;
  DataDirectory& operator=(DataDirectory&&) = delete;
  ~DataDirectory();

  std::filesystem::path journal() const { return path_ / "journal.db"; }
  std::filesystem::path witness() const { return path_ / "journal.witness"; }
  std::filesystem::path replays() const { return path_ / "replays"; }
  std::filesystem::path signing_key() const { return path_ / "signing_key.pem"; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void make_journal_private() const;
  DataDirectory(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

}  // namespace sweepd::runtime
