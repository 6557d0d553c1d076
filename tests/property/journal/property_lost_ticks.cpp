// SPDX-License-Identifier: MIT
//
// Protects the count of what damage costs: wherever the database or its write-ahead log is damaged, cut off
// or gone, the durable ticks that do not come back are counted, per match and exactly, once.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

#include "property/random.h"
#include "rounds.h"
#include "runtime/journal/storage.h"
#include "unit/runtime/journal/played_match.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::property_lost_ticks {
namespace {

namespace fs = std::filesystem;
using property::Random;

constexpr int kMutations = rounds(90);
constexpr match::Tick kLastTicks[] = {0, 30, 300, 700, 1'250};
constexpr std::size_t kMatches = std::size(kLastTicks);
constexpr const char* kDatabase = "journal.db";
constexpr const char* kWal = "journal.db-wal";

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// What a server that is killed leaves of several matches: about half in the database, the rest in the log.
class Remains {
 public:
  Remains() {
    auto storage = Storage::open({.directory = folder_.path() / "data",
                                  .journal_flush = std::chrono::milliseconds(1),
                                  .journal_sync = JournalSync::kProcess});
    Journal& journal = (*storage)->journal();
    for (std::size_t i = 0; i < kMatches; ++i)
      matches.push_back(std::make_unique<PlayedMatch>(journal, i + 1, i + 1, 1'400));
    play(journal, 2);
    {
      Database database(folder_.path() / "data" / kDatabase, Database::Mode::kReadWrite);
      database.execute("PRAGMA wal_checkpoint(PASSIVE)");
    }
    play(journal, 1);
    fs::copy(folder_.path() / "data", path());
    fs::remove(path() / "journal.db-shm");
  }

  fs::path path() const { return folder_.path() / "remains"; }

  std::vector<std::unique_ptr<PlayedMatch>> matches;

 private:
  /// Some of each at a time, so that there are many commits and each holds several matches.
  void play(Journal& journal, match::Tick divisor) {
    for (match::Tick part = 1; part <= 20; ++part) {
      for (std::size_t i = 0; i < kMatches; ++i)
        matches[i]->play(std::max(matches[i]->match().tick(), kLastTicks[i] * part / 20 / divisor));
      for (const auto& match : matches) {
        while (journal.durable_position() < match->log().position()) std::this_thread::yield();
      }
    }
  }

  TemporaryFolder folder_;
};

std::string damaged(std::string bytes, Random& random, std::string& what) {
  const std::size_t at = random.index(bytes.size());
  what += " at byte " + std::to_string(at) + " of " + std::to_string(bytes.size());
  switch (random.index(4)) {
    case 0:
      what += ": a bit";
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.index(8)));
      return bytes;
    case 1: {
      what += ": zeroes";
      const std::size_t size = std::min<std::size_t>(bytes.size() - at, 8192);
      return bytes.replace(at, size, size, '\0');
    }
    default:
      what += ": cut off";
      bytes.resize(at);
      return bytes;
  }
}

class LostTicksProperty : public ::testing::Test {
 protected:
  /// What is to be damaged of a fresh copy.
  std::string damage(Random& random) {
    fs::remove_all(data_);
    fs::copy(remains_.path(), data_, fs::copy_options::recursive);
    std::string what;
    const std::size_t kind = random.index(10);
    if (kind == 0) {
      fs::remove(data_ / kWal);
      return "no log";
    }
    if (kind < 7) write(data_ / kWal, damaged(read(data_ / kWal), random, what = "log"));
    if (kind > 5) write(data_ / kDatabase, damaged(read(data_ / kDatabase), random, what += " database"));
    return what;
  }

  struct Found {
    std::map<JournalKey, match::Tick> lost;
    std::size_t ticks = 0;
  };
  std::optional<Found> open_and_check(const std::vector<match::Tick>& durable) {
    const auto storage = Storage::open({.directory = data_, .journal_sync = JournalSync::kProcess});
    if (!storage.ok()) {
      // An empty database beside its log, and nothing else, is a reason not to start.
      EXPECT_NE(storage.error().find("it is missing or empty"), std::string::npos) << storage.error();
      return std::nullopt;
    }
    Found found;
    for (const LostTicks& lost : (*storage)->lost_ticks()) {
      EXPECT_TRUE(found.lost.emplace(lost.match, lost.count()).second);
      EXPECT_EQ(lost.id, PlayedMatch::id_of(lost.match));
      found.ticks += lost.count();
    }
    check_matches((*storage)->take_matches(), durable, found);
    return found;
  }

  void check_matches(const std::vector<RecoveredMatch>& matches, const std::vector<match::Tick>& durable,
                     const Found& found) {
    for (std::size_t i = 0; i < kMatches; ++i) {
      const auto match = std::ranges::find(matches, i + 1, &RecoveredMatch::key);
      const match::Tick tick = match == matches.end() ? 0 : match->match->tick();
      const auto lost = found.lost.find(i + 1);
      ASSERT_LE(tick, durable[i]);
      EXPECT_EQ(lost == found.lost.end() ? 0 : lost->second, durable[i] - tick) << "match " << i + 1;
      if (match == matches.end()) {
        EXPECT_NE(lost, found.lost.end()) << "match " << i + 1 << " is gone";
        continue;
      }
      EXPECT_EQ(match->match->digest(), remains_.matches[i]->digest(tick));
      EXPECT_EQ(match->state.durable_tick_before, tick < durable[i] ? durable[i] : 0) << "match " << i + 1;
    }
  }

  TemporaryFolder folder_;
  const fs::path data_ = folder_.path() / "data";
  Remains remains_;
};

TEST_F(LostTicksProperty, EveryDurableTickThatDoesNotComeBackIsCounted) {
  const std::vector<match::Tick> durable(std::begin(kLastTicks), std::end(kLastTicks));
  Random random(static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) + 2027);
  int refused = 0;
  int losses = 0;
  std::size_t most = 0;
  for (int i = 0; i < kMutations; ++i) {
    SCOPED_TRACE("mutation " + std::to_string(i) + ": " + damage(random));
    const auto found = open_and_check(durable);
    if (HasFailure()) return;
    refused += found ? 0 : 1;
    losses += found && found->ticks > 0 ? 1 : 0;
    if (found) most = std::max(most, found->ticks);
  }
  std::cout << losses << " of " << kMutations << " cost ticks, at most " << most << "; refused " << refused
            << "\n";
  EXPECT_GT(losses, kMutations / 3);
}

TEST_F(LostTicksProperty, OfAnUndamagedJournalNothingIsLost) {
  fs::copy(remains_.path(), data_, fs::copy_options::recursive);
  const std::vector<match::Tick> durable(std::begin(kLastTicks), std::end(kLastTicks));
  const auto found = open_and_check(durable);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->lost.empty());
}

TEST_F(LostTicksProperty, WhatWasCountedIsNotCountedAgain) {
  fs::copy(remains_.path(), data_, fs::copy_options::recursive);
  fs::remove(data_ / kWal);
  std::vector<match::Tick> after(kMatches);
  {
    const auto storage = Storage::open({.directory = data_});
    ASSERT_TRUE(storage.ok()) << storage.error();
    EXPECT_FALSE((*storage)->lost_ticks().empty());
  }
  const auto storage = Storage::open({.directory = data_});
  ASSERT_TRUE(storage.ok()) << storage.error();
  EXPECT_TRUE((*storage)->lost_ticks().empty());
  // But it stays known of each match until its next life tells it.
  for (const RecoveredMatch& match : (*storage)->take_matches()) {
    const match::Tick durable = kLastTicks[match.key - 1];
    EXPECT_EQ(match.state.durable_tick_before, match.match->tick() < durable ? durable : 0);
  }
}

}  // namespace
}  // namespace sweepd::runtime::property_lost_ticks
