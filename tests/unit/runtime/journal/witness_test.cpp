// SPDX-License-Identifier: MIT
//
// Protects what tells of lost ticks: the witness has the last durable tick of every match and of no other,
// through growth, the end of matches and damage to itself, also while it is in use; and no server begins an
// empty journal where there was one.
#include "runtime/journal/witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <utility>

#include "runtime/journal/file_watch.h"
#include "runtime/journal/match_origin.h"
#include "runtime/journal/storage.h"
#include "unit/runtime/journal/played_match.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::witness_test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

using match::Tick;
using Entry = Witness::Entry;

void ignore(const std::string& /*trouble*/) {}

class Witnesses : public ::testing::Test {
 protected:
  std::vector<Entry> entries() { return Witness::read(path_)->entries; }

  TemporaryFolder folder_;
  const fs::path path_ = folder_.path() / "journal.witness";
};

TEST_F(Witnesses, AreAbsentBeforeThereIsOne) { EXPECT_FALSE(Witness::read(path_)); }

TEST_F(Witnesses, HaveTheLastTickOfEachMatch) {
  Witness witness(path_, {{7, PlayedMatch::id_of(7), 40}}, ignore);
  witness.note({{7, RecordKind::kTick, 41}, {7, RecordKind::kTick, 42}, {8, RecordKind::kTick, 3}});
  EXPECT_THAT(entries(), ElementsAre(Entry{7, PlayedMatch::id_of(7), 42}));
  witness.note({{7, RecordKind::kKeyFrame, 1'200}, {7, RecordKind::kState, 1'300}});
  EXPECT_THAT(entries(), ElementsAre(Entry{7, PlayedMatch::id_of(7), 1'200}));
}

TEST_F(Witnesses, LearnOfNewMatchesAndForgetThoseThatAreOver) {
  Witness witness(path_, {}, ignore);
  const auto match = std::move(match::Match::create(recordings::random_match_config(1)).value());
  for (JournalKey key = 1; key <= 3; ++key) {
    const MatchOrigin origin{PlayedMatch::id_of(key), 0,
                             replay::head_of(*match, PlayedMatch::id_of(key), "n")};
    witness.note({{key, RecordKind::kCreated, 0, encode(origin)}, {key, RecordKind::kTick, key * 10}});
  }
  witness.forget(2);
  EXPECT_THAT(entries(),
              UnorderedElementsAre(Entry{1, PlayedMatch::id_of(1), 10}, Entry{3, PlayedMatch::id_of(3), 30}));
}

TEST_F(Witnesses, GrowWithTheMatches) {
  std::vector<Entry> many;
  for (JournalKey key = 1; key <= 3'000; ++key) many.push_back({key, "thetestsmatchnoa", key});
  Witness witness(path_, many, ignore);
  for (JournalKey key = 1; key <= 3'000; key += 2) witness.forget(key);
  EXPECT_EQ(entries().size(), 1'500u);
  EXPECT_EQ(Witness::read(path_)->damaged_entries, 0u);
}

TEST_F(Witnesses, SayWhichOfThemselvesIsDamaged) {
  { const Witness witness(path_, {{1, "thetestsmatchnoa", 5}, {2, "thetestsmatchnob", 6}}, ignore); }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(64 + 8);
  file << "x";
  file.close();
  EXPECT_THAT(entries(), ElementsAre(Entry{2, "thetestsmatchnob", 6}));
  EXPECT_EQ(Witness::read(path_)->damaged_entries, 1u);
}

/// What may become of a file under a server, and what is said of it.
const std::vector<std::pair<std::string, std::function<void(const fs::path&)>>> kDamages = {
    {"removed", [](const fs::path& path) { fs::remove(path); }},
    {"cut", [](const fs::path& path) { fs::resize_file(path, 70); }},
    {"cut", [](const fs::path& path) { fs::resize_file(path, 0); }},
    {"replaced",
     [](const fs::path& path) {
       fs::copy_file(path, path.string() + ".copy");
       fs::rename(path.string() + ".copy", path);
     }},
    {"overwritten",
     [](const fs::path& path) {
       std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
       file.seekp(64 + 8);
       file << "x";
     }},
};

TEST_F(Witnesses, AreWrittenAnewWhateverHappensToTheirFile) {
  Witness witness(path_, {{1, "thetestsmatchnoa", 5}, {2, "thetestsmatchnob", 6}}, ignore);
  EXPECT_EQ(witness.mend().damage, "");
  Tick tick = 5;
  for (const auto& [what, damage] : kDamages) {
    damage(path_);
    const Witness::Finding finding = witness.mend();
    EXPECT_THAT(finding.damage, HasSubstr(what));
    EXPECT_EQ(finding.failure, "");
    EXPECT_EQ(witness.mend().damage, "") << what;
    witness.note({{1, RecordKind::kTick, ++tick}});
    EXPECT_THAT(entries(), ElementsAre(Entry{1, "thetestsmatchnoa", tick}, Entry{2, "thetestsmatchnob", 6}));
    EXPECT_EQ(Witness::read(path_)->damaged_entries, 0u);
  }
}

TEST_F(Witnesses, SayWhyTheyCannotBeWrittenAnewAndAreOnceTheyCan) {
  Witness witness(path_, {{1, "thetestsmatchnoa", 5}}, ignore);
  fs::rename(folder_.path(), folder_.path().string() + ".moved");
  EXPECT_THAT(witness.mend().failure, HasSubstr("cannot create"));
  witness.note({{1, RecordKind::kTick, 9}});
  fs::rename(folder_.path().string() + ".moved", folder_.path());
  EXPECT_EQ(witness.mend().damage, "") << "it is back, and was written to all the time";
  EXPECT_THAT(entries(), ElementsAre(Entry{1, "thetestsmatchnoa", 9}));
}

TEST_F(Witnesses, AFileOfTheJournalIsWatchedForWhatItsOpenDescriptorDoesNotShow) {
  for (const auto& [what, damage] : kDamages) {
    if (what == "overwritten") continue;  // SQLite's pages have sums of their own.
    std::ofstream(path_) << std::string(100, 'x');
    FileWatch watch(path_, FileWatch::kAllBytes);
    EXPECT_EQ(watch.find_damage(), "");
    fs::resize_file(path_, 200);
    EXPECT_EQ(watch.find_damage(), "");
    damage(path_);
    EXPECT_EQ(watch.find_damage(), "journal.witness has been " + what);
  }
  FileWatch of_log(path_, 100);
  for (const auto& [bytes, damage] :
       {std::pair<int, std::string>{100, ""}, {99, "journal.witness has been cut"}}) {
    fs::resize_file(path_, static_cast<std::uintmax_t>(bytes));
    EXPECT_EQ(of_log.find_damage(), damage) << bytes;
  }
}

class MissingJournals : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto storage = open();
    ASSERT_TRUE(storage.ok()) << storage.error();
  }

  base::Result<std::unique_ptr<Storage>, std::string> open(bool accepts_missing = false) {
    return Storage::open({.directory = data_,
                          .accepts_missing_journal = accepts_missing,
                          .on_trouble = [this](const std::string& what) { trouble_.push_back(what); }});
  }

  void expect_refused(const std::string& sign) {
    const auto refused = open();
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error(), HasSubstr("it is missing or empty, and there was one"));
    EXPECT_THAT(refused.error(), HasSubstr(sign));
    EXPECT_THAT(refused.error(), HasSubstr("--accept-missing-journal"));
  }

  TemporaryFolder folder_;
  const fs::path data_ = folder_.path() / "data";
  std::vector<std::string> trouble_;
};

TEST_F(MissingJournals, AreRefusedBesideAWitness) {
  fs::remove(data_ / "journal.db");
  expect_refused("journal.witness");
  EXPECT_FALSE(fs::exists(data_ / "journal.db"));
}

TEST_F(MissingJournals, AreRefusedBesideALogOrReplaysAlone) {
  fs::remove(data_ / "journal.db");
  fs::remove(data_ / "journal.witness");
  std::ofstream(data_ / "journal.db-wal") << "a log";
  expect_refused("journal.db-wal");
  fs::remove(data_ / "journal.db-wal");
  std::ofstream(data_ / "replays" / "thetestsmatchnoa.swpr") << "a replay";
  expect_refused("1 replay");
}

TEST_F(MissingJournals, AreRefusedWhereTheyAreEmpty) {
  fs::resize_file(data_ / "journal.db", 0);
  expect_refused("journal.witness");
  EXPECT_EQ(fs::file_size(data_ / "journal.db"), 0u);
}

TEST_F(MissingJournals, AreBegunAnewWhereThatIsAccepted) {
  fs::remove(data_ / "journal.db");
  std::ofstream(data_ / "journal.db-wal") << "a log";
  ASSERT_TRUE(open(true).ok());
  EXPECT_THAT(trouble_, ::testing::Contains(HasSubstr("the journal is missing, and an empty one begins")));
  EXPECT_TRUE(open().ok());
}

TEST_F(MissingJournals, AreNoneWhereNothingShowsThatThereWasOne) {
  fs::remove(data_ / "journal.db");
  fs::remove(data_ / "journal.witness");
  EXPECT_TRUE(open().ok());
  EXPECT_TRUE(trouble_.empty());
}

}  // namespace
}  // namespace sweepd::runtime::witness_test
