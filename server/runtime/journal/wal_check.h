// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sweepd::runtime {

/// A place in a write-ahead log that is not as it was written, with more behind it. SQLite takes a log up to
/// its first bad frame and drops the rest without a word: after a crash that is how a write that was cut off
/// ends, but then nothing whole follows.
struct WalDamage {
  std::uint64_t offset = 0;  ///< Of the first bad frame, or 0 for the log's own header.
  std::size_t frames = 0;    ///< Pages from there on that will be dropped.
  std::size_t commits = 0;   ///< Transactions that end among them, at least one.
};

/// Looks through the log of a database that is not open. No log, an empty one, and one that only ends in the
/// middle of a transaction are all right. Reads all of it; throws StorageFailure where that cannot be done.
std::optional<WalDamage> find_wal_damage(const std::filesystem::path& wal);

/// For people.
std::string describe(const WalDamage& damage);

}  // namespace sweepd::runtime
