// SPDX-License-Identifier: MIT
//
// Protects a server's files from a second server, and its signing key from everybody else.
#include "runtime/journal/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <fstream>

#include "runtime/replays/signing_key_file.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::data_directory_test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(DataDirectory, IsMadeForItsOwnerAlone) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "data";
  const auto directory = DataDirectory::open(path);
  ASSERT_TRUE(directory.ok()) << directory.error();
  EXPECT_TRUE(fs::is_directory(path));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
  EXPECT_EQ(directory->journal(), path / "journal.db");
}

TEST(DataDirectory, MakesAJournalOfAnEarlierVersionItsOwnersAlone) {
  TemporaryFolder folder;
  for (const char* name : {"journal.db", "journal.db-wal", "journal.db-shm"}) {
    std::ofstream(folder.path() / name) << "x";
    fs::permissions(folder.path() / name, fs::perms(0666));
  }
  ASSERT_TRUE(DataDirectory::open(folder.path()).ok());
  for (const char* name : {"journal.db", "journal.db-wal", "journal.db-shm"}) {
    EXPECT_EQ(fs::status(folder.path() / name).permissions(), fs::perms(0600)) << name;
  }
}

TEST(DataDirectory, RefusesASecondServerUntilTheFirstIsGone) {
  TemporaryFolder folder;
  {
    const auto first = DataDirectory::open(folder.path());
    ASSERT_TRUE(first.ok());
    const auto second = DataDirectory::open(folder.path());
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error(), folder.path().string() + " is in use by another sweepd");
  }
  EXPECT_TRUE(DataDirectory::open(folder.path()).ok());
}

TEST(DataDirectory, StaysLockedWhenItIsMoved) {
  TemporaryFolder folder;
  auto first = DataDirectory::open(folder.path());
  const DataDirectory moved = std::move(*first);
  EXPECT_FALSE(DataDirectory::open(folder.path()).ok());
}

TEST(DataDirectory, SaysWhatIsInItsWay) {
  TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  const auto in_a_file = DataDirectory::open(folder.path() / "file");
  ASSERT_FALSE(in_a_file.ok());
  EXPECT_THAT(in_a_file.error(), HasSubstr("file/lock"));
  const auto without_parent = DataDirectory::open(folder.path() / "a" / "b");
  ASSERT_FALSE(without_parent.ok());
  EXPECT_THAT(without_parent.error(), HasSubstr("cannot create"));
}

TEST(DataDirectory, WithAPipeInThePlaceOfAFileIsRefusedAndNotWaitedFor) {
  const TemporaryFolder folder;
  for (const char* name : {"journal.db", "journal.db-wal", "anything"}) {
    const std::filesystem::path pipe = folder.path() / name;
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(DataDirectory::open(folder.path()).error(), pipe.string() + " is neither a file nor a folder");
    std::filesystem::remove(pipe);
  }
  EXPECT_TRUE(DataDirectory::open(folder.path()).ok());
}

TEST(DataDirectory, WithAFolderInThePlaceOfAFileOfTheJournalIsRefused) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "lost+found");
  for (const char* name : {"journal.db", "journal.db-wal", "journal.witness"}) {
    const fs::path wrong = folder.path() / name;
    fs::create_directory(wrong);
    EXPECT_EQ(DataDirectory::open(folder.path()).error(), wrong.string() + " is a folder");
    fs::remove(wrong);
  }
  EXPECT_TRUE(DataDirectory::open(folder.path()).ok());
}

TEST(DataDirectory, ThatMayNotBeWrittenIsRefused) {
  TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                     fs::perms::others_exec);
  const WithoutPrivileges nobody;
  const auto directory = DataDirectory::open(folder.path());
  ASSERT_FALSE(directory.ok());
  EXPECT_THAT(directory.error(), HasSubstr("Permission denied"));
}

TEST(SigningKeyFile, IsMadeOnceAndForItsOwnerOnly) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "key.pem";
  const auto made = read_or_make_signing_key(path);
  ASSERT_TRUE(made.ok()) << made.error();
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const auto again = read_or_make_signing_key(path);
  ASSERT_TRUE(again.ok()) << again.error();
  EXPECT_EQ(again->public_key().bytes, made->public_key().bytes);
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
}

TEST(SigningKeyFile, OfAServerThatDiedWhileItMadeItIsMadeAnew) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "key.pem";
  std::ofstream(path.string() + ".part") << "-----BEGIN PRIV";
  ASSERT_TRUE(read_or_make_signing_key(path).ok());
  EXPECT_TRUE(read_signing_key(path).ok());
}

TEST(SigningKeyFile, WithSomethingElseInItIsRefusedAndKept) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "key.pem";
  for (const std::string content :
       {"", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}) {
    { std::ofstream(path) << content; }
    fs::permissions(path, fs::perms(0600));
    const auto key = read_or_make_signing_key(path);
    ASSERT_FALSE(key.ok()) << content;
    EXPECT_THAT(key.error(), HasSubstr("no private key of Ed25519"));
    EXPECT_EQ(fs::file_size(path), content.size());
  }
}

TEST(SigningKeyFile, ThatOthersMayReadOrWriteIsRefused) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "key.pem";
  ASSERT_TRUE(read_or_make_signing_key(path).ok());
  for (const unsigned mode : {0666u, 0644u, 0640u, 0620u, 0604u, 0602u, 0610u}) {
    fs::permissions(path, fs::perms(mode));
    const auto key = read_or_make_signing_key(path);
    ASSERT_FALSE(key.ok()) << std::oct << mode;
    EXPECT_THAT(key.error(), HasSubstr("chmod 600 " + path.string()));
  }
  for (const unsigned mode : {0600u, 0400u}) {
    fs::permissions(path, fs::perms(mode));
    EXPECT_TRUE(read_signing_key(path).ok()) << std::oct << mode;
  }
}

TEST(SigningKeyFile, ThatIsNotThereIsNotMadeWhereOneWasNamed) {
  TemporaryFolder folder;
  const auto key = read_signing_key(folder.path() / "none.pem");
  ASSERT_FALSE(key.ok());
  EXPECT_THAT(key.error(), HasSubstr("No such file"));
  EXPECT_FALSE(fs::exists(folder.path() / "none.pem"));
}

}  // namespace
}  // namespace sweepd::runtime::data_directory_test
