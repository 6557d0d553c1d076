// SPDX-License-Identifier: MIT
//
// Protects matches against a disk that forgets: whatever happens to a journal's file, what comes back of a
// match is what it was, at its last tick, or else somebody is told. Never is there less, or something else,
// without a word.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "property/random.h"
#include "rounds.h"
#include "runtime/journal/compaction.h"
#include "runtime/journal/recovery.h"
#include "runtime/journal/sqlite_journal.h"
#include "unit/runtime/journal/played_match.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::property_damage {
namespace {

namespace fs = std::filesystem;
using property::Random;

constexpr std::size_t kPageBytes = 8192;
constexpr int kMutations = rounds(150);
constexpr match::Tick kLastTicks[] = {0, 30, 300, 1'250, 1'310};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A journal of several matches, one new, one in commits only, some in segments, too, with key frames.
class Original {
 public:
  Original() {
    const fs::path path = folder_.path() / "journal.db";
    SqliteJournal journal(std::make_unique<JournalStore>(path, JournalSync::kProcess),
                          {.flush = std::chrono::milliseconds(1)});
    for (std::size_t i = 0; i < std::size(kLastTicks); ++i)
      matches.push_back(std::make_unique<PlayedMatch>(journal, i + 1, i + 1, 1'400));
    for (std::size_t i = 0; i < matches.size(); ++i) matches[i]->play(kLastTicks[i] * 3 / 4);
    settle(journal);
    pack(journal, path);
    // A little of each at a time, so that commits hold several matches.
    for (match::Tick step = 0; step < 400; ++step) {
      for (std::size_t i = 1; i < matches.size(); ++i) {
        if (matches[i]->match().tick() < kLastTicks[i]) matches[i]->play_tick();
      }
      if (step % 10 == 0) settle(journal);
    }
    settle(journal);
    journal.stop();
    {
      JournalStore store(path, JournalSync::kProcess);  // Closes last, and takes the log into the database.
    }
    bytes_done_ = [path] { return read(path); };
  }

  const std::string& bytes() {
    if (bytes_.empty()) bytes_ = bytes_done_();
    return bytes_;
  }

  std::vector<std::unique_ptr<PlayedMatch>> matches;

 private:
  void settle(SqliteJournal& journal) {
    for (const auto& match : matches) {
      while (journal.durable_position() < match->log().position()) std::this_thread::yield();
    }
  }

  static void pack(SqliteJournal& journal, const fs::path& path) {
    JournalStore reader(path);
    const RecentTicks recent(reader, ~std::size_t{0}, [](const auto&) { FAIL(); });
    pack_recent_ticks(reader, recent, {},
                      [&](const std::function<void(JournalStore&)>& work) { journal.with_store(work); });
  }

  TemporaryFolder folder_;
  std::function<std::string()> bytes_done_;
  std::string bytes_;
};

std::string mutated(std::string bytes, Random& random, std::string& what) {
  const std::size_t page = random.index(bytes.size() / kPageBytes);
  const std::string of_page = " of page " + std::to_string(page + 1);
  const std::int64_t kind = random.between(0, 99);
  if (kind < 55) {
    const std::size_t bit = random.index(bytes.size() * 8);
    what = "bit " + std::to_string(bit % 8) + " of byte " + std::to_string(bit / 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  } else if (kind < 70) {  // Where pages have their own order: what most changes the shape of the tables.
    const std::size_t at = page * kPageBytes + random.index(64);
    what = "byte " + std::to_string(at) + of_page;
    bytes[at] = static_cast<char>(random.between(0, 255));
  } else if (kind < 80) {
    what = "zeroes instead" + of_page;
    bytes.replace(page * kPageBytes, kPageBytes, kPageBytes, '\0');
  } else if (kind < 90) {
    const std::size_t other = random.index(bytes.size() / kPageBytes);
    what = "page " + std::to_string(other + 1) + " instead" + of_page;
    bytes.replace(page * kPageBytes, kPageBytes, std::string(bytes, other * kPageBytes, kPageBytes));
  } else {
    const std::size_t size = random.index(bytes.size());
    what = "cut off at " + std::to_string(size);
    bytes.resize(size);
  }
  return bytes;
}

enum class Outcome { kSame, kTold, kRefused };

class DamageProperty : public ::testing::Test {
 protected:
  void put(const std::string& bytes) {
    remove(path_);
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  static void remove(const fs::path& path) {
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path.string() + suffix);
  }

  /// `ticks`: where each match has to be, if nobody is told otherwise; afterwards, where it is.
  Outcome recover_and_check(std::vector<match::Tick>& ticks) {
    Recovery recovery;
    try {
      std::optional<JournalStore> fresh;
      remove(fresh_path_);
      {
        JournalStore store(path_, JournalSync::kProcess);
        recovery = recover(store, path_, [&]() -> JournalStore& {
          return fresh.emplace(fresh_path_, JournalSync::kProcess);
        });
      }
      if (fresh) {
        fresh.reset();
        remove(path_);
        fs::rename(fresh_path_, path_);
      }
    } catch (const StorageFailure& failure) {
      return Outcome::kRefused;  // The server says so, and puts it aside or does not start.
    }
    std::vector<bool> is_there(ticks.size());
    for (const RecoveredMatch& match : recovery.matches) check(match, recovery, ticks, is_there);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      if (!is_there[i] && ticks[i] != kGone) {
        EXPECT_FALSE(recovery.damage.empty()) << "match " << i + 1 << " is gone";
        ticks[i] = kGone;
      }
    }
    return recovery.damage.empty() ? Outcome::kSame : Outcome::kTold;
  }

  void check(const RecoveredMatch& match, const Recovery& recovery, std::vector<match::Tick>& ticks,
             std::vector<bool>& is_there) {
    ASSERT_TRUE(match.key >= 1 && match.key <= ticks.size()) << match.key;
    const std::size_t i = match.key - 1;
    const match::Tick tick = match.match->tick();
    ASSERT_LE(tick, ticks[i]);
    ASSERT_EQ(match.match->digest(), original_.matches[i]->digest(tick))
        << "match " << match.key << " at " << tick;
    ASSERT_EQ(match.origin.id, PlayedMatch::id_of(match.key));
    if (tick < ticks[i]) {
      EXPECT_FALSE(recovery.damage.empty()) << "match " << match.key << " at " << tick << " of " << ticks[i];
    }
    is_there[i] = true;
    ticks[i] = tick;
  }

  static constexpr match::Tick kGone = ~match::Tick{0};
  TemporaryFolder folder_;
  const fs::path path_ = folder_.path() / "journal.db";
  const fs::path fresh_path_ = folder_.path() / "journal.db.fresh";
  Original original_;
};

TEST_F(DamageProperty, NothingIsLessOrOtherWithoutAWord) {
  const std::vector<match::Tick> all(std::begin(kLastTicks), std::end(kLastTicks));
  std::vector<match::Tick> ticks = all;
  put(original_.bytes());
  ASSERT_EQ(recover_and_check(ticks), Outcome::kSame);
  ASSERT_EQ(ticks, all);
  Random random(static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) + 2026);
  std::map<Outcome, int> outcomes;
  for (int i = 0; i < kMutations; ++i) {
    std::string what;
    put(mutated(original_.bytes(), random, what));
    SCOPED_TRACE("mutation " + std::to_string(i) + ": " + what);
    ticks = all;
    const Outcome outcome = recover_and_check(ticks);
    ++outcomes[outcome];
    // What has come back is in the journal, and comes back once more, and nothing is left of the damage.
    if (outcome != Outcome::kRefused) {
      EXPECT_EQ(recover_and_check(ticks), Outcome::kSame);
    }
    if (HasFailure()) return;
  }
  std::cout << original_.bytes().size() << " bytes; unharmed " << outcomes[Outcome::kSame] << ", told "
            << outcomes[Outcome::kTold] << ", refused " << outcomes[Outcome::kRefused] << "\n";
  EXPECT_GT(outcomes[Outcome::kTold], kMutations / 10);
}

}  // namespace
}  // namespace sweepd::runtime::property_damage
