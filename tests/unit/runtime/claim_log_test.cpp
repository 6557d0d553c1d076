// SPDX-License-Identifier: MIT
//
// Protects who is told which verdicts: each participant those on its own claims, those who are warned the
// rest that is not confirmed, each once; and that the log is bounded.
#include "runtime/feed/claim_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace sweepd::runtime::claim_log_test {
namespace {

using match::ClaimVerdict;
using match::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ClaimVerdict verdict(std::uint32_t claimant, std::uint32_t number, Verdict what) {
  return {.claimant = claimant, .claim = {.number = number}, .verdict = what, .evidence = {}};
}

void take(ClaimLog& log, match::Tick tick, const std::vector<ClaimVerdict>& verdicts) {
  match::TickOutput output{.tick = tick};
  output.claim_verdicts = verdicts;
  log.take(output);
}

std::vector<std::uint32_t> numbers(const std::vector<ClaimVerdict>& verdicts) {
  std::vector<std::uint32_t> numbers;
  for (const ClaimVerdict& verdict : verdicts) numbers.push_back(verdict.claim.number);
  return numbers;
}

/// Participant 0, who has been told so much.
std::array<ClaimLog::Claimant, 1> one(std::uint64_t told) { return {{{0, told}}}; }

TEST(ClaimLog, TellsEachItsOwnAndTheWarnedWhatIsNotConfirmed) {
  ClaimLog log;
  take(log, 1, {verdict(0, 10, Verdict::kConfirmed), verdict(1, 20, Verdict::kTooOld)});
  take(log, 2, {verdict(0, 11, Verdict::kNotOwner), verdict(2, 30, Verdict::kNotOverlapping)});
  std::vector<ClaimVerdict> own, own_later, warnings;
  log.append_verdicts(one(0), own);
  EXPECT_THAT(numbers(own), ElementsAre(10, 11));
  log.append_verdicts(one(log.count_up_to(1)), own_later);
  EXPECT_THAT(numbers(own_later), ElementsAre(11));
  log.append_warnings(0, std::array<match::ParticipantNumber, 1>{2}, warnings);
  EXPECT_THAT(numbers(warnings), ElementsAre(20, 11)) << "not its own";
  EXPECT_EQ(log.count(), 4u);
}

TEST(ClaimLog, TellsNothingTwice) {
  ClaimLog log;
  take(log, 1, {verdict(0, 10, Verdict::kConfirmed)});
  std::vector<ClaimVerdict> verdicts;
  log.append_verdicts(one(log.count()), verdicts);
  EXPECT_THAT(verdicts, IsEmpty());
}

TEST(ClaimLog, TellsManyOfAStreamWhatIsTheirsEachAfterWhatItWasTold) {
  ClaimLog log;
  take(log, 1, {verdict(0, 10, Verdict::kConfirmed), verdict(1, 20, Verdict::kTooOld)});
  take(log, 2, {verdict(0, 11, Verdict::kConfirmed), verdict(2, 30, Verdict::kConfirmed)});
  take(log, 3, {verdict(1, 21, Verdict::kConfirmed), verdict(4, 40, Verdict::kConfirmed)});
  const std::array<ClaimLog::Claimant, 3> claimants{{{0, 1}, {1, 0}, {4, log.count()}}};
  std::vector<ClaimVerdict> verdicts;
  log.append_verdicts(claimants, verdicts);
  EXPECT_THAT(numbers(verdicts), ElementsAre(20, 11, 21)) << "as they came";
  verdicts.clear();
  log.append_verdicts({}, verdicts);
  EXPECT_THAT(verdicts, IsEmpty());
}

TEST(ClaimLog, KeepsTheNewest) {
  ClaimLog log;
  const std::size_t surplus = 100;
  for (std::uint32_t i = 0; i < ClaimLog::kKeptMax + surplus; ++i) {
    take(log, i + 1, {verdict(0, i, Verdict::kConfirmed)});
  }
  std::vector<ClaimVerdict> verdicts;
  log.append_verdicts(one(0), verdicts);
  EXPECT_EQ(verdicts.size(), ClaimLog::kKeptMax);
  EXPECT_EQ(verdicts.front().claim.number, surplus);
  EXPECT_EQ(log.count(), ClaimLog::kKeptMax + surplus);
}

}  // namespace
}  // namespace sweepd::runtime::claim_log_test
