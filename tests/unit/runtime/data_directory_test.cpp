// SPDX-License-Identifier: MIT
//
// Protects a server's files from a second server, and its signing key from everybody else.
#include "runtime/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "runtime/signing_key_file.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(DataDirectory, IsMadeForItsOwnerAndGroupAlone) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "data";
  const auto directory = DataDirectory::open(path);
  ASSERT_TRUE(directory.ok()) << directory.error();
  EXPECT_TRUE(fs::is_directory(path));
  EXPECT_EQ(fs::status(path).permissions() & fs::perms::others_all, fs::perms::none);
  EXPECT_EQ(directory->journal(), path / "journal.db");
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
    const auto key = read_or_make_signing_key(path);
    ASSERT_FALSE(key.ok()) << content;
    EXPECT_THAT(key.error(), HasSubstr("no private key of Ed25519"));
    EXPECT_EQ(fs::file_size(path), content.size());
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
}  // namespace sweepd::runtime
