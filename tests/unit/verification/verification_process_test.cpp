// SPDX-License-Identifier: MIT
//
// Protects a server from what it verifies, and from what verifies it: whatever a verifier does, it answers in
// time, takes no more than it may, and is gone in the end.
#include "verification/verification_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "recordings/replay_bytes.h"
#include "unit/verification/verifier_program.h"

namespace sweepd::verification::verification_process_test {
namespace {

using Clock = std::chrono::steady_clock;

class VerificationProcess : public ::testing::Test {
 protected:
  void SetUp() override { limits_.program = verifier_program(); }
  void TearDown() override {
    // None runs, and none is left to be reaped.
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    if (!script_.empty()) std::filesystem::remove(script_);
  }

  VerificationOutcome run(const std::string& bytes) {
    MemoryFile file;
    EXPECT_TRUE(file.append(bytes));
    return verify_in_process(limits_, file, options_, is_cancelled_);
  }

  /// For a verifier that does what is said here.
  void run_script(const std::string& text) {
    script_ = (std::filesystem::temp_directory_path() / ("verifier" + std::to_string(::getpid()))).string();
    std::ofstream(script_) << "#!/bin/sh\n" << text << '\n';
    ::chmod(script_.c_str(), 0700);
    limits_.program = script_;
  }

  VerifierLimits limits_;
  v1::VerificationOptions options_;
  std::function<bool()> is_cancelled_ = [] { return false; };

 private:
  std::string script_;
};

TEST_F(VerificationProcess, SaysWhatItHasFound) {
  options_.set_nonce("of another match");
  const VerificationOutcome outcome = run(recordings::random_replay(7, 200));
  ASSERT_EQ(outcome.end, VerificationEnd::kVerdict) << outcome.what;
  EXPECT_EQ(outcome.response.verdict(), v1::REPLAY_VERDICT_DIVERGED);
  options_.Clear();
  EXPECT_EQ(run(recordings::random_replay(7, 200)).response.verdict(), v1::REPLAY_VERDICT_VERIFIED);
  EXPECT_EQ(run("").response.verdict(), v1::REPLAY_VERDICT_MALFORMED);
}

TEST_F(VerificationProcess, IsOverWhenItsTimeIs) {
  limits_.run_time = std::chrono::milliseconds(200);
  const std::string slow = recordings::slow_replay(std::chrono::seconds(2));
  const auto before = Clock::now();
  EXPECT_EQ(run(slow).end, VerificationEnd::kTooLong);
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(1));
}

TEST_F(VerificationProcess, IsOverWhenNobodyWantsItAnyMore) {
  int asked = 0;
  is_cancelled_ = [&asked] { return ++asked > 2; };
  const std::string slow = recordings::slow_replay(std::chrono::seconds(2));
  const auto before = Clock::now();
  EXPECT_EQ(run(slow).end, VerificationEnd::kCancelled);
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(1));
}

TEST_F(VerificationProcess, IsOverWhereTheSystemTakesItForItsTime) {
  run_script("kill -XCPU $$");
  EXPECT_EQ(run("x").end, VerificationEnd::kTooLong);
}

TEST_F(VerificationProcess, ThatBreaksBreaksNothingElse) {
  for (const char* end : {"kill -SEGV $$", "kill -KILL $$", "exit 71", "exit 1"}) {
    run_script(end);
    EXPECT_EQ(run("x").end, VerificationEnd::kTooLarge) << end;
  }
}

TEST_F(VerificationProcess, SaysNoMoreThanItMay) {
  run_script("exec yes");
  EXPECT_EQ(run("x").end, VerificationEnd::kTooLarge);
}

TEST_F(VerificationProcess, EndsWhenItHasSaidAllOrIsEnded) {
  run_script("exec sleep 1000 >&-");
  EXPECT_EQ(run("x").end, VerificationEnd::kTooLarge);
}

TEST_F(VerificationProcess, ThatCannotBeIsTold) {
  limits_.program = "/nowhere/at/all";
  EXPECT_EQ(run("x").end, VerificationEnd::kFailed);
  EXPECT_THAT(run("x").what, ::testing::HasSubstr("No such file"));
  run_script("exit 0");
  EXPECT_THAT(run("x").what, ::testing::HasSubstr("another program"));
  run_script("exit 70");
  EXPECT_EQ(run("x").end, VerificationEnd::kFailed);
}

}  // namespace
}  // namespace sweepd::verification::verification_process_test
