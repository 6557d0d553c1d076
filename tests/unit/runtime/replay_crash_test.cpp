// SPDX-License-Identifier: MIT
//
// Protects replays from the end of the process at any moment: what is there afterwards is whole, and what was
// told to be there is.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "rounds.h"
#include "runtime/replays/replay_store.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::replay_crash_test {
namespace {

constexpr std::size_t kParts = 20;
constexpr std::size_t kPartBytes = 4096;

MatchId id_of(unsigned number) {
  MatchId id(16, 'a');
  for (std::size_t i = id.size(); number != 0; number /= 26) id[--i] = static_cast<char>('a' + number % 26);
  return id;
}

std::string content_of(const MatchId& id) {
  std::string content;
  while (content.size() < kParts * kPartBytes) content += id;
  return content;
}

bool write(ReplayStore& store, const MatchId& id) {
  auto writing = store.begin(id);
  if (!writing.ok()) return false;
  const std::string content = content_of(id);
  for (std::size_t i = 0; i < kParts; ++i) {
    if (writing->append(std::string_view(content).substr(i * kPartBytes, kPartBytes))) return false;
  }
  return !writing->commit();
}

/// Writes one replay after the other and tells the number of each that is committed, until it is killed.
[[noreturn]] void write_for_ever(const std::filesystem::path& directory, unsigned first, int told) {
  auto store = ReplayStore::open(directory, {});
  for (unsigned number = first; store.ok() && write(**store, id_of(number)); ++number) {
    if (::write(told, &number, sizeof number) != sizeof number) break;
  }
  ::_exit(1);
}

class ReplayCrash : public ::testing::Test {
 protected:
  /// Lets a process write replays until it has told so many to be there, or has failed, and for a part of the
  /// time that one more takes; then kills it.
  void write_and_kill(unsigned replays, unsigned percent) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) write_for_ever(directory_, committed_, pipe_ends[1]);
    ::close(pipe_ends[1]);
    for (unsigned i = 0; i < replays; ++i) note_told(pipe_ends[0]);
    const auto time_of_one = (std::chrono::steady_clock::now() - begin) / replays;
    std::this_thread::sleep_for(time_of_one * percent / 100);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it could not write";
    while (note_told(pipe_ends[0])) {
    }
    ::close(pipe_ends[0]);
  }

  bool note_told(int pipe_end) {
    unsigned number = 0;
    if (::read(pipe_end, &number, sizeof number) != sizeof number) return false;
    committed_ = number + 1;
    return true;
  }

  TemporaryFolder folder_;
  const std::filesystem::path directory_ = folder_.path() / "replays";
  unsigned committed_ = 0;
};

TEST_F(ReplayCrash, AReplayIsThereWholeOrNotAtAllWheneverTheProcessIsKilled) {
  constexpr unsigned kKills = rounds(60u);
  std::mt19937 random(7);
  std::size_t left_half_written = 0;
  for (unsigned kill = 0; kill < kKills; ++kill) {
    write_and_kill(1 + random() % 3, random() % 100);
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      left_half_written += entry.path().extension() == ".part";
    auto store = ReplayStore::open(directory_, {});
    ASSERT_TRUE(store.ok()) << store.error();
    // One more may be there: committed, and killed before it was told.
    EXPECT_GE((*store)->usage().replays, committed_);
    EXPECT_LE((*store)->usage().replays, committed_ + 1);
    for (unsigned number = 0; number <= committed_; ++number) {
      const auto file = *(*store)->open(id_of(number));
      ASSERT_TRUE(file != nullptr || number == committed_) << number;
      ASSERT_TRUE(file == nullptr || file->read(0, file->size()) == content_of(id_of(number))) << number;
    }
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      EXPECT_EQ(entry.path().extension(), ".swpr");
  }
  EXPECT_GE(committed_, kKills);
  EXPECT_GT(left_half_written, 0u) << "nothing was ever killed while it wrote: the test has shown nothing";
}

TEST_F(ReplayCrash, ACommitThatCannotTakeItsNameLeavesNothing) {
  auto store = ReplayStore::open(directory_, {});
  auto writing = (*store)->begin(id_of(1));
  ASSERT_FALSE(writing->append("bytes"));
  std::filesystem::create_directory(directory_ / (id_of(1) + ".swpr"));
  EXPECT_TRUE(writing->commit());
  EXPECT_FALSE(std::filesystem::exists(directory_ / (id_of(1) + ".swpr.part")));
  EXPECT_EQ((*store)->usage().replays, 0u);
  EXPECT_EQ(*(*store)->open(id_of(1)), nullptr);
}

}  // namespace
}  // namespace sweepd::runtime::replay_crash_test
