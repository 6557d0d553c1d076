// SPDX-License-Identifier: MIT
//
// Protects who reads a replay: exactly the bytes of the file, from any place, and never a short answer that
// looks like the end.
#include "runtime/replays/replay_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::replay_file_test {
namespace {

class ReplayFileTest : public ::testing::Test {
 protected:
  ReplayFile file_of(const std::string& content) {
    std::ofstream(path_) << content;
    return ReplayFile(::open(path_.c_str(), O_RDONLY | O_CLOEXEC), content.size());
  }

  TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "file";
};

TEST_F(ReplayFileTest, ReadsFromAnyPlaceUpToTheEnd) {
  const ReplayFile file = file_of("0123456789");
  EXPECT_EQ(file.size(), 10u);
  EXPECT_EQ(file.read(0, 4), "0123");
  EXPECT_EQ(file.read(4, 4), "4567");
  EXPECT_EQ(file.read(8, 4), "89");
  EXPECT_EQ(file.read(3, 0), "");
}

TEST_F(ReplayFileTest, ThereIsNothingBeyondTheEndAndNothingIsReservedForIt) {
  const ReplayFile file = file_of("0123456789");
  EXPECT_EQ(file.read(10, 1), "");
  EXPECT_EQ(file.read(std::numeric_limits<std::uint64_t>::max(), 1), "");
  EXPECT_EQ(file.read(9, std::numeric_limits<std::size_t>::max()), "9");
}

TEST_F(ReplayFileTest, AFileThatWasCutShortIsAnErrorAndNotAnEarlyEnd) {
  const ReplayFile file = file_of("0123456789");
  std::filesystem::resize_file(path_, 6);
  EXPECT_EQ(file.read(0, 6), "012345");
  EXPECT_EQ(file.read(0, 7), std::nullopt);
  EXPECT_EQ(file.read(8, 1), std::nullopt);
}

TEST_F(ReplayFileTest, StaysReadableWhenItIsRemoved) {
  const ReplayFile file = file_of("0123456789");
  std::filesystem::remove(path_);
  EXPECT_EQ(file.read(0, 10), "0123456789");
}

TEST_F(ReplayFileTest, WhatCannotBeReadIsAnError) {
  const ReplayFile file(::open(folder_.path().c_str(), O_RDONLY | O_CLOEXEC), 10);
  EXPECT_EQ(file.read(0, 1), std::nullopt);
}

}  // namespace
}  // namespace sweepd::runtime::replay_file_test
