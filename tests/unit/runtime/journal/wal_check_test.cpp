// SPDX-License-Identifier: MIT
//
// Protects what is durable from going without a word: SQLite drops everything behind a bad place in its
// write-ahead log. The logs here are SQLite's own, taken while a database is open, as a killed process leaves
// them.
#include "runtime/journal/wal_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "runtime/journal/sqlite.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::wal_check_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameBytes = 24 + 8192;
constexpr std::uint64_t kRows = 6;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class WalChecks : public ::testing::Test {
 protected:
  void SetUp() override {
    Database database(live_, Database::Mode::kReadWrite);
    database.execute(
        "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
        "CREATE TABLE rows(id INTEGER PRIMARY KEY, content BLOB)");
    for (std::uint64_t i = 0; i < kRows; ++i) add_row(database);
    wal_ = read(live_.string() + "-wal");
    database_ = read(live_);
    ASSERT_EQ((wal_.size() - kHeaderBytes) % kFrameBytes, 0u);
    ASSERT_GT(frames(), kRows * 2);
  }

  static void add_row(Database& database) {
    const std::string content(20'000, 'c');  // Several pages.
    Statement(database, "INSERT INTO rows(content) VALUES(?)").bind(1, content).run();
  }

  std::size_t frames() const { return (wal_.size() - kHeaderBytes) / kFrameBytes; }
  static std::size_t offset_of(std::size_t frame) { return kHeaderBytes + frame * kFrameBytes; }
  bool ends_transaction(std::size_t frame) const {
    return wal_.substr(offset_of(frame) + 4, 4) != std::string(4, '\0');
  }
  std::size_t commits_after(std::size_t frame) const {
    std::size_t commits = 0;
    for (std::size_t i = frame + 1; i < frames(); ++i) commits += ends_transaction(i) ? 1 : 0;
    return commits;
  }

  std::optional<WalDamage> check(std::string_view wal) {
    const fs::path path = folder_.path() / "copy.db-wal";
    write(path, wal);
    return find_wal_damage(path);
  }

  /// What SQLite itself makes of it.
  std::uint64_t rows_with(std::string_view wal) {
    const fs::path path = folder_.path() / "copy.db";
    write(path, database_);
    write(path.string() + "-wal", wal);
    fs::remove(path.string() + "-shm");
    Database database(path, Database::Mode::kReadWrite);
    try {
      Statement count(database, "SELECT count(*) FROM rows");
      return count.step() ? count.number(0) : 0;
    } catch (const StorageFailure&) {
      return 0;  // Not even the table.
    }
  }

  std::string flipped(std::size_t bit) const {
    std::string wal = wal_;
    wal[bit / 8] = static_cast<char>(wal[bit / 8] ^ (1 << bit % 8));
    return wal;
  }

  TemporaryFolder folder_;
  const fs::path live_ = folder_.path() / "live.db";
  std::string wal_;
  std::string database_;
};

TEST_F(WalChecks, FindNothingInAWholeOneOrWhereThereIsNone) {
  EXPECT_FALSE(check(wal_));
  EXPECT_EQ(rows_with(wal_), kRows);
  EXPECT_FALSE(check(""));
  EXPECT_FALSE(find_wal_damage(folder_.path() / "none"));
}

TEST_F(WalChecks, FindNothingWhereItIsCutOffAnywhere) {
  for (std::size_t size = 0; size <= wal_.size(); size += size < 100 ? 1 : 997)
    EXPECT_FALSE(check(wal_.substr(0, size)));
  for (std::size_t frame = 0; frame < frames(); ++frame) {
    for (const std::size_t more : {0, 1, 23, 24, 25, 8000})
      EXPECT_FALSE(check(wal_.substr(0, offset_of(frame) + more)));
  }
}

TEST_F(WalChecks, FindNothingWhereTheLastWriteIsHalfDoneOverAnOlderRoundOfTheLog) {
  Database database(live_, Database::Mode::kReadWrite);
  for (std::uint64_t i = 0; i < kRows; ++i) add_row(database);
  const std::string old = read(live_.string() + "-wal");
  database.execute("PRAGMA wal_checkpoint(RESTART)");
  add_row(database);  // Over the beginning of the old one.
  const std::string wal = read(live_.string() + "-wal");
  ASSERT_EQ(wal.size(), old.size());
  ASSERT_NE(wal, old);
  EXPECT_FALSE(check(wal));
  for (std::size_t at = kHeaderBytes; at < offset_of(4); at += 500)
    EXPECT_FALSE(check(wal.substr(0, at) + old.substr(at))) << at;
}

TEST_F(WalChecks, NameThePlaceOfABadFrameAndHowMuchIsBehindIt) {
  for (std::size_t frame = 0; frame < frames(); ++frame) {
    const auto damage = check(flipped((offset_of(frame) + 1000) * 8));
    ASSERT_EQ(damage.has_value(), commits_after(frame) > 0) << frame;
    if (!damage) continue;
    EXPECT_EQ(damage->offset, offset_of(frame));
    EXPECT_EQ(damage->frames, frames() - frame);
    EXPECT_EQ(damage->commits, commits_after(frame));
  }
}

TEST_F(WalChecks, FindEveryFlippedBitOfHeadersThatCostsATransactionBehindIt) {
  std::vector<std::size_t> bytes;
  for (std::size_t at = 0; at < kHeaderBytes; ++at) bytes.push_back(at);
  for (const std::size_t frame : {std::size_t{0}, frames() - 5}) {
    ASSERT_GT(commits_after(frame), 0u);
    for (std::size_t at = 0; at < 24; ++at) bytes.push_back(offset_of(frame) + at);
  }
  for (const std::size_t at : bytes) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const std::string wal = flipped(at * 8 + bit);
      const bool is_lost = rows_with(wal) < kRows;
      ASSERT_EQ(check(wal).has_value(), is_lost) << "byte " << at << ", bit " << bit;
    }
  }
}

/// Its sum is right.
std::string with_page_bytes(std::uint32_t page_bytes, std::string wal) {
  const bool is_big_endian = (wal[3] & 1) != 0;
  std::array<std::uint32_t, 8> words{};
  const auto byte_of = [](std::uint32_t word, std::size_t i) {
    return static_cast<char>(word >> (24 - i * 8));
  };
  for (std::size_t i = 0; i < 4; ++i) wal[8 + i] = byte_of(page_bytes, i);
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t place = is_big_endian ? 3 - i % 4 : i % 4;
    words[i / 4] |= std::uint32_t{static_cast<unsigned char>(wal[i])} << place * 8;
  }
  for (std::size_t i = 0; i < 6; i += 2) {
    words[6] += words[i] + words[7];
    words[7] += words[i + 1] + words[6];
  }
  for (std::size_t i = 0; i < 8; ++i) wal[24 + i] = byte_of(words[6 + i / 4], i % 4);
  return wal;
}

TEST_F(WalChecks, TakeAHeaderWithAPageSizeThatSqliteDoesNotHaveForDamage) {
  ASSERT_EQ(with_page_bytes(8192, wal_), wal_);
  for (const std::uint32_t page_bytes : {1u, 2u, 4u, 256u, 131'072u, 1u << 31}) {
    const auto damage = check(with_page_bytes(page_bytes, wal_));
    ASSERT_TRUE(damage) << page_bytes;
    EXPECT_EQ(damage->offset, 0u);
    EXPECT_EQ(damage->frames, frames());
  }
}

TEST_F(WalChecks, FindAPageOfZeroes) {
  std::string wal = wal_;
  wal.replace(offset_of(2), kFrameBytes, kFrameBytes, '\0');
  const auto damage = check(wal);
  ASSERT_TRUE(damage);
  EXPECT_EQ(damage->offset, offset_of(2));
  EXPECT_EQ(describe(*damage).find("its write-ahead log is damaged at byte " + std::to_string(offset_of(2))),
            0u);
}

TEST_F(WalChecks, SayWhenTheFileCannotBeRead) {
  fs::create_directory(folder_.path() / "directory");
  EXPECT_THROW(find_wal_damage(folder_.path() / "directory"), StorageFailure);
}

}  // namespace
}  // namespace sweepd::runtime::wal_check_test
