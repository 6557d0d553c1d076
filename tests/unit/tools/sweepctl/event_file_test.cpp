// SPDX-License-Identifier: MIT
//
// Protects the list of encounters of a played trace: its format, its counts, and that a run that failed
// leaves no file that looks right.
#include "tools/sweepctl/event_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace sweepd::tools::event_file_test {
namespace {

namespace fs = std::filesystem;

Event event_of(Tick tick, EventKind kind, ObjectId a, ObjectId b) {
  Event event;
  event.tick = tick;
  event.kind = kind;
  event.object_a = a;
  event.object_b = b;
  return event;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class EventFiles : public ::testing::Test {
 protected:
  EventFiles() : folder_(fs::temp_directory_path() / ("event file test " + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~EventFiles() override { fs::remove_all(folder_); }
  fs::path path() const { return folder_ / "match.events"; }
  bool folder_is_empty() const { return fs::directory_iterator(folder_) == fs::directory_iterator(); }

  fs::path folder_;
};

TEST_F(EventFiles, ALineNamesTickKindAndBothObjects) {
  EXPECT_EQ(event_line(event_of(32, EventKind::kEnter, 1000002, 4294967295)), "32 enter 1000002 4294967295");
  EXPECT_EQ(event_line(event_of(33, EventKind::kExit, 1, 2)), "33 exit 1 2");
  Event swept = event_of(34, EventKind::kExit, 1, 2);
  swept.time_of_impact = 0;
  EXPECT_EQ(event_line(swept), "34 exit 1 2 0");
}

TEST_F(EventFiles, HasItsNameOnlyOnceAllEventsAreIn) {
  EventFile file(path().string());
  ASSERT_TRUE(file.open().ok());
  file.write(event_of(1, EventKind::kEnter, 1, 2));
  file.write(event_of(1, EventKind::kEnter, 1, 3));
  file.write(event_of(2, EventKind::kExit, 1, 2));
  EXPECT_FALSE(fs::exists(path()));
  ASSERT_TRUE(file.commit().ok());
  EXPECT_EQ(content_of(path()), "1 enter 1 2\n1 enter 1 3\n2 exit 1 2\n");
  EXPECT_EQ(file.enters(), 2u);
  EXPECT_EQ(file.exits(), 1u);
  EXPECT_FALSE(fs::exists(path().string() + ".partial"));
}

TEST_F(EventFiles, ARunThatFailsLeavesNothingBehind) {
  {
    EventFile file(path().string());
    ASSERT_TRUE(file.open().ok());
    file.write(event_of(1, EventKind::kEnter, 1, 2));
    EXPECT_FALSE(folder_is_empty());
  }
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(EventFiles, ARunThatFailsLeavesAnOlderFileAsItWas) {
  std::ofstream(path()) << "old\n";
  {
    EventFile file(path().string());
    ASSERT_TRUE(file.open().ok());
    file.write(event_of(1, EventKind::kEnter, 1, 2));
  }
  EXPECT_EQ(content_of(path()), "old\n");
}

TEST_F(EventFiles, AnEmptyListIsAnEmptyFile) {
  EventFile file(path().string());
  ASSERT_TRUE(file.open().ok());
  ASSERT_TRUE(file.commit().ok());
  EXPECT_TRUE(fs::exists(path()));
  EXPECT_EQ(content_of(path()), "");
}

TEST_F(EventFiles, AFolderThatIsMissingIsAnErrorThatNamesTheFile) {
  EventFile file((folder_ / "missing" / "match.events").string());
  const Status status = file.open();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), ::testing::HasSubstr("match.events"));
}

TEST_F(EventFiles, ADeviceIsWrittenToAndNotReplaced) {
  EventFile file("/dev/null");
  ASSERT_TRUE(file.open().ok());
  file.write(event_of(1, EventKind::kEnter, 1, 2));
  ASSERT_TRUE(file.commit().ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(fs::exists("/dev/null.partial"));
}

TEST_F(EventFiles, StandardOutputGetsAllLinesAtOnce) {
  ::testing::internal::CaptureStdout();
  {
    EventFile failed("-");
    ASSERT_TRUE(failed.open().ok());
    failed.write(event_of(1, EventKind::kEnter, 1, 2));
  }
  EventFile file("-");
  ASSERT_TRUE(file.open().ok());
  file.write(event_of(7, EventKind::kEnter, 1, 2));
  ASSERT_TRUE(file.commit().ok());
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "7 enter 1 2\n");
}

TEST_F(EventFiles, WithoutAPathEventsAreOnlyCounted) {
  EventFile file("");
  ASSERT_TRUE(file.open().ok());
  file.write(event_of(1, EventKind::kEnter, 1, 2));
  ASSERT_TRUE(file.commit().ok());
  EXPECT_EQ(file.count(), 1u);
  EXPECT_TRUE(folder_is_empty());
}

}  // namespace
}  // namespace sweepd::tools::event_file_test
