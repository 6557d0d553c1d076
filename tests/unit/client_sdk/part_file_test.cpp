// SPDX-License-Identifier: MIT
//
// Protects what somebody fetched: under its name there is a file once it is whole, and it stays there when
// the power goes; where a disk cannot promise that, the caller hears of it.
#include "part_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// What was written to the disk, in its order: "NAME" or "NAME, PATH is there".
struct Disk {
  std::string path = {};
  std::vector<std::string> synced = {};
  bool is_broken = false;
};
Disk disk;

}  // namespace

/// In place of the C library's.
extern "C" int fsync(int descriptor) {
  const auto name =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)).filename().string();
  disk.synced.push_back(name + (std::filesystem::exists(disk.path) ? ", whole" : ""));
  if (disk.is_broken) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace sweepd::internal::part_file_test {
namespace {

namespace fs = std::filesystem;

class PartFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    disk = {.path = path_};
  }
  void TearDown() override { fs::remove_all(folder_); }

  const fs::path folder_ = fs::temp_directory_path() / ("part_file_" + std::to_string(::getpid()));
  const std::string path_ = folder_ / "run.swpi";
};

TEST_F(PartFileTest, IsOnTheDiskBeforeItHasItsNameAndItsNameThereafter) {
  PartFile file(path_);
  ASSERT_TRUE(file.write("all of it"));
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_TRUE(file.complete().ok());
  EXPECT_EQ(disk.synced,
            (std::vector<std::string>{"run.swpi.part", folder_.filename().string() + ", whole"}));
  std::ifstream stream(path_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "all of it");
  EXPECT_FALSE(fs::exists(path_ + ".part"));
}

TEST_F(PartFileTest, ThatTheDiskDoesNotTakeIsNotThere) {
  std::ofstream(path_) << "the old one";
  disk.is_broken = true;
  PartFile file(path_);
  ASSERT_TRUE(file.write("the new one"));
  const Status status = file.complete();
  EXPECT_EQ(status.code(), ErrorCode::kUnavailable);
  EXPECT_EQ(status.field(), "path");
  EXPECT_NE(status.message().find("cannot be written"), std::string::npos) << status.message();
  EXPECT_FALSE(fs::exists(path_ + ".part"));
  std::ifstream stream(path_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "the old one");
}

TEST_F(PartFileTest, IsWrittenWhereOneStandsToo) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  PartFile file("run.swpi");
  ASSERT_TRUE(file.write("here"));
  EXPECT_TRUE(file.complete().ok());
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(path_));
  EXPECT_EQ(disk.synced.size(), 2u);
}

}  // namespace
}  // namespace sweepd::internal::part_file_test
