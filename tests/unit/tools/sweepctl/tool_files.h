// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tools/sweepctl/replay_files.h"

namespace sweepd::tools {

/// A test of what sweepctl does with files, in a folder of its own.
class ToolFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* program = std::getenv("SWEEPCTL_BINARY");
    ASSERT_NE(program, nullptr) << "run this through ctest";
    program_ = program;
    std::string name = (std::filesystem::temp_directory_path() / "sweepctl_files_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    EXPECT_TRUE(write_replay(path(name), bytes).ok());
    return path(name);
  }

  std::string program_;
  std::filesystem::path folder_;
};

}  // namespace sweepd::tools
